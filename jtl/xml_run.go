package jtl

import (
	"bytes"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"
)

func (r *Reader) newXMLParser() *xmlParser {
	return &xmlParser{d: &r.d, cfg: r.opt.Config, maxBad: r.opt.MaxBad, buffer: r.opt.chunk, line: 1, text: make([]byte, 0, 4096)}
}

// readXML visits the samples, and unless TopOnly those inside them, each parent
// before its children. It is the work of one worker.
func (r *Reader) readXML(visit Visit) (*Report, error) {
	p := r.newXMLParser()
	err := p.parse(r.src, func(nodes []xmlNode) error {
		for i := range nodes {
			n := &nodes[i]
			if r.opt.TopOnly && n.row.Depth > 0 {
				continue
			}
			if n.damage != "" {
				p.bad(n.row.Line, n.damage)
				continue
			}
			p.report.Rows++
			if err := visit(0, &n.row); err != nil {
				return err
			}
		}
		return nil
	})
	return &p.report, err
}

// readXMLSamples visits the top-level samples as trees. A damaged one takes those
// inside it with it.
func (r *Reader) readXMLSamples(visit func(*Sample) error) (*Report, error) {
	p := r.newXMLParser()
	p.full = true
	err := p.parse(r.src, func(nodes []xmlNode) error {
		var path []*Sample // from the top-level sample to the last one
		for i := range nodes {
			n := &nodes[i]
			if n.damage != "" {
				p.bad(n.row.Line, n.damage)
				if n.row.Depth == 0 {
					return nil
				}
			}
			s := n.sample()
			path = append(path[:n.row.Depth], s)
			if n.row.Depth > 0 && n.damage == "" {
				parent := path[n.row.Depth-1]
				parent.Subs = append(parent.Subs, s)
			}
		}
		p.report.Rows++
		return visit(path[0])
	})
	return &p.report, err
}

// sample is the whole of a node but its sub-results.
func (n *xmlNode) sample() *Sample {
	s := &Sample{}
	n.row.FailureMessage = nil // it stands in asserts
	s.fromRow(&n.row)
	s.Assertions = append(s.Assertions, n.asserts...)
	s.ResponseHeaders = string(n.children[tagResponseHeader])
	s.RequestHeaders = string(n.children[tagRequestHeader])
	s.SamplerData, s.HasSamplerData = string(n.children[tagSamplerData]), n.children[tagSamplerData] != nil
	s.Cookies = string(n.children[tagCookies])
	s.Method = string(n.children[tagMethod])
	s.QueryString = string(n.children[tagQueryString])
	s.RedirectLocation = string(n.children[tagRedirect])
	if s.DataType == "text" {
		s.Body = encode(n.children[tagResponseData], s.Encoding)
	}
	return s
}

// charsetNamed finds an encoding by its Internet name; UTF-8 and unknown ones,
// which pass as they are, are nil.
func charsetNamed(name string) encoding.Encoding {
	if name == "" {
		return nil
	}
	enc, err := ianaindex.IANA.Encoding(name)
	if err != nil || enc == nil {
		return nil
	}
	if canonical, err := ianaindex.IANA.Name(enc); err == nil && canonical == "UTF-8" {
		return nil
	}
	return enc
}

// encode is the response as its server sent it, from the text of an XML file.
func encode(text []byte, charset string) []byte {
	if enc := charsetNamed(charset); enc != nil {
		if b, err := encoding.ReplaceUnsupported(enc.NewEncoder()).Bytes(text); err == nil {
			return b
		}
	}
	return append([]byte(nil), text...)
}

// xmlCharset is the encoding that the declaration of an XML file names.
func xmlCharset(head []byte) string {
	decl, _, ok := bytes.Cut(head, []byte("?>"))
	if !ok || !bytes.Contains(decl, []byte("<?xml ")) {
		return ""
	}
	_, attrs, _ := bytes.Cut(decl, []byte("<?xml "))
	for key, value := range xmlAttributes(attrs) {
		if string(key) == "encoding" {
			return string(value)
		}
	}
	return ""
}
