package xml

// ParseText is Parse of a text that is decoded already, whatever encoding it
// declares.
func ParseText(text string, namespaces bool) (*Node, error) {
	return parse(unixLines(text), namespaces, false)
}

// WellFormed returns what is wrong with a text, as JMeter's XML Assertion sees it:
// namespaces are not looked at and a document type is refused.
func WellFormed(text string) error {
	_, err := parse(unixLines(text), false, true)
	return err
}
