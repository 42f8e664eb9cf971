#!/bin/sh
# install-jmeter.sh: Apache JMeter 5.6.3 from its Maven artifacts into $JMETER_HOME
# (default ~/.cache/jmeter-5.6.3), for the live mode of the conformance test.
# Needs java, mvn and unzip. Does nothing where JMeter stands already.
set -eu
home=${JMETER_HOME:-$HOME/.cache/jmeter-5.6.3}
version=5.6.3
if [ -f "$home/bin/ApacheJMeter.jar" ]; then
	echo "$home"
	exit
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

{
	echo '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
	echo '<groupId>reference</groupId><artifactId>jmeter</artifactId><version>1</version><packaging>pom</packaging><dependencies>'
	for module in '' _config _core _components _functions _http _java _jdbc _tcp _ftp _jms _junit _ldap _mail _native _mongodb _bolt; do
		echo "<dependency><groupId>org.apache.jmeter</groupId><artifactId>ApacheJMeter$module</artifactId><version>$version</version></dependency>"
	done
	echo '</dependencies></project>'
} >"$scratch/pom.xml"
(cd "$scratch" && mvn -q -B dependency:copy-dependencies -DoutputDirectory="$scratch/jars")

# The folders are those of a release; bin comes last, since its jar says that all is there.
mkdir -p "$home/bin" "$home/lib/ext" "$home/lib/junit"
unzip -q -o "$scratch/jars/ApacheJMeter_config-$version.jar" 'bin/*' -d "$home"
rm "$scratch/jars/ApacheJMeter_config-$version.jar"
mv "$scratch/jars/ApacheJMeter-$version.jar" "$scratch/ApacheJMeter.jar"
mv "$scratch"/jars/ApacheJMeter_*.jar "$home/lib/ext"
mv "$scratch"/jars/*.jar "$home/lib"
mv "$scratch/ApacheJMeter.jar" "$home/bin"
echo "$home"
