package function_test

import "testing"

func TestChangeCase(t *testing.T) {
	newBench(t).check(
		row{"${__changeCase(été straße)}${__changeCase(ab,)}", "ÉTÉ STRASSEAB"},
		row{"${__changeCase(ÀB,lower, v )}${v}", "àbàb"},
		row{"${__changeCase(ab Cd,Capitalize)}${__changeCase( ab,CAPITALIZE)}", "Ab Cd ab"},
		row{"${__changeCase(ß,CAPITALIZE)}${__changeCase(ǆx,CAPITALIZE)}[${__changeCase(,CAPITALIZE)}]", "ßǅx[]"},
		row{"${__changeCase(ab, upper )}${__changeCase(ab,CAMEL)}", "abab"},
		row{"${__uppercase(aß,v)}${v}${__lowercase(AÉ)}", "ASSASSaé"},
	)
}

func TestEscapes(t *testing.T) {
	b := newBench(t)
	b.check(
		row{`${__escapeHtml(<a b="c">é'&)}`, "&lt;a b=&quot;c&quot;&gt;&eacute;'&amp;"},
		row{"${__unescapeHtml(&lt;&eacute;&#39;&#x41;&nosuch;&apos;)}", "<é'A&nosuch;&apos;"},
		row{`${__escapeXml(<a b="c">'d' & é</a>)}`, "&lt;a b=&quot;c&quot;&gt;&apos;d&apos; &amp; é&lt;/a&gt;"},
		row{`${__unescape(a\\\\tb)}|${__unescape(\\\\u12)}`, `a\tb|\u12`},
		row{`${__unescape(a\tb\x\101\u0041)}`, "a\tbxAA"},
		row{"${__escapeOroRegexpChars(a_b é/٣\\,., v )}|${v}", `a_b\ é\/٣\,\.|a_b\ é\/٣\,\.`},
		row{"${__urlencode(a b&é~*_-.)}", "a+b%26%C3%A9%7E*_-."},
		row{"${__urldecode(a+b%26%C3%A9)}", "a b&é"},
	)
	b.throws("java.lang.IllegalArgumentException: Not a valid Unicode code point: 0x110000", "${__unescapeHtml(&#x110000;)}")
	b.throws("java.lang.IllegalArgumentException: URLDecoder", "${__urldecode(%zz)}", "${__urldecode(%)}")
	b.throws("java.lang.", `${__unescape(\u12)}`)
}

func TestChar(t *testing.T) {
	newBench(t).check(
		row{"${__char(65,0x42,#43,0104,+69)}${__char( 70 )}", "ABCDEF"},
		row{"${__char(0x1F600,55357,56832)}", "\uF600😀"},
		row{"[${__char(x,99999999999999999999,)}]", "[]"},
		row{"${__char(8364)}${__char(10)}", "€\n"},
	)
	newBench(t).refused("${__char}", "${__char()}")
}

func TestDigest(t *testing.T) {
	b := newBench(t)
	b.check(
		row{"${__digest(MD2,abc)} ${__digest(MD2,)}", "da853b0d3f88d99b30283a69e6ded6bb 8350e5a3e24c153df2275c9f80692773"},
		row{"${__digest(MD2,12345678901234567890123456789012345678901234567890123456789012345678901234567890)}", "d5976f79d83d3a0dc9806c3c66f3efd8"},
		row{"${__digest(md5,abc,, true ,)}", "900150983cd24fb0d6963f7d28e17f72"},
		row{"${__digest(MD5,abc,,TRUE,)}", "900150983CD24FB0D6963F7D28E17F72"},
		row{"${__digest(MD5,a,b)}${__digest(MD5,,ab)}", "187ef4436122d1cc2f40dc2b92f0eba0187ef4436122d1cc2f40dc2b92f0eba0"},
		row{"${__digest(SHA-512/256,abc)}", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"},
		row{"${__digest(sha3-256,abc)}", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"},
		row{"${__digest(SHA,abc)} ${__digest(MD5,abc,,, v )}${v}", "a9993e364706816aba3e25717850c26c9cd0d89d 900150983cd24fb0d6963f7d28e17f72900150983cd24fb0d6963f7d28e17f72"},
		row{"${__digest(SHA_256,abc,,,w)}${__digest( MD5,abc)}${__digest(,abc)}${w}", "nullnullnull${w}"},
		row{"${__MD5(abc,m)}${m}", "900150983cd24fb0d6963f7d28e17f72900150983cd24fb0d6963f7d28e17f72"},
	)
}

func TestBase64(t *testing.T) {
	newBench(t).check(
		row{"${__base64Encode(café?>)}${__base64Encode(a, v )}${ v }", "Y2Fmw6k/Pg==YQ==YQ=="},
		row{"${__base64Decode(Y2Fmw6k/Pg==)}${__base64Decode(Y2Fmw6k_Pg,v)}${v}", "café?>café?>café?>"},
		row{"${__base64Decode(Y 2\nF*m)}[${__base64Decode(Y)}][${__base64Decode(YQ=YQ)}]", "caf[][a]"},
		row{"${__base64Decode(/w==)}", "\uFFFD"},
		row{"${__base64Encode(a,b,c)}", "${__base64Encode(a,b,c)}"},
	)
}

func TestSubstring(t *testing.T) {
	b := newBench(t)
	b.check(
		row{"${__substring(abcdef, 1 , 3 , v )}${v}", "bcbc"},
		row{"${__strLen(é😀,n)}${n}${__strLen()}", "33${__strLen()}"},
		row{"[${__substring(abc,3,3)}]${__substring(abc,0)}", "[]${__substring(abc,0)}"},
	)
	b.throws("java.lang.StringIndexOutOfBoundsException: begin 1, end 9, length 3", "${__substring(abc,1,9)}")
	b.throws("java.lang.StringIndexOutOfBoundsException", "${__substring(abc,2,1)}", "${__substring(abc,-1,1)}")
	b.throws("java.lang.NumberFormatException", "${__substring(abc,x,1)}")
}

func TestReplace(t *testing.T) {
	b := newBench(t)
	b.check(
		row{"${__strReplace(a.b.c,.,-, v )}${ v }${__strReplace(aa,b,c,)}", "a-b-ca-b-caa"},
		row{`${__strReplaceRegex(a1b22,([0-9]+),<$1>,v)}${v}`, "a<1>b<22>a<1>b<22>"},
		row{`${__strReplaceRegex(abc,(b),$10\\$1)}`, "ab0$1c"},
		row{`${__strReplaceRegex(ac,a(b)?c,[$1])}`, "[]"},
		row{`${__strReplaceRegex(abc,,-)}`, "-a-b-c-"},
	)
	b.throws("java.lang.IndexOutOfBoundsException: No group 2", "${__strReplaceRegex(abc,(b),$2)}")
	b.throws("java.lang.IllegalArgumentException: Illegal group reference", "${__strReplaceRegex(abc,b,$)}")
	b.throws("java.util.regex.PatternSyntaxException", "${__strReplaceRegex(abc,[,x)}")
}

func TestCaseFormat(t *testing.T) {
	newBench(t).check(
		row{"${__caseFormat(hello WORLD-of_names)}", "helloWorldOfNames"},
		row{"${__caseFormat(hello world,upper_camel_case, v )}${v}", "HelloWorldHelloWorld"},
		row{"${__caseFormat(Hello  world_,SNAKE_CASE)} ${__caseFormat(a b,KEBAB_CASE)}", "hello_world a-b"},
		row{"${__caseFormat(a b,TRAIN_CASE)} ${__caseFormat(a b,UPPER_UNDERSCORE)} ${__caseFormat(a b,x)}", "A-B A_B a b"},
		row{"${__caseFormat(-a b,SNAKE_CASE)}${__caseFormat(-a b)}", "_a_bAB"},
		row{"[${__caseFormat(,SNAKE_CASE)}${__caseFormat(--)}]", "[]"},
	)
}

func TestIf(t *testing.T) {
	newBench(t).set("x", "1").check(
		row{"${__if(${x},1,yes,no, v )}${v}", "yesyes"},
		row{"${__if(${x}, 1,yes,no)}${__if(a,b,c)}", "no${__if(a,b,c)}"},
	)
}
