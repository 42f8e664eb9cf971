package jtl

// rowTree hands on the samples of files in which samples have others inside them,
// as rows or as trees.
type rowTree struct {
	// full keeps all children, not only those that a row has.
	full    bool
	topOnly bool
	keepRaw bool
	maxBad  int
	seq     int // of the present chunk
	report  Report
}

func newRowTree(opt ReadOptions) rowTree {
	return rowTree{topOnly: opt.TopOnly, keepRaw: opt.Raw, maxBad: opt.MaxBad}
}

func (t *rowTree) result() *Report { return &t.report }

func (t *rowTree) bad(line int64, reason string) {
	t.report.Skipped++
	if len(t.report.Bad) < t.maxBad {
		t.report.Bad = append(t.report.Bad, BadLine{Line: line, Reason: reason})
	}
}

// rows visits a top-level sample and those inside it, which stand in document
// order; raw is the first as the file has it.
func (t *rowTree) rows(nodes []xmlNode, raw func() []byte, visit func(*Row) error) error {
	for i := range nodes {
		n := &nodes[i]
		if t.topOnly && n.row.Depth > 0 {
			continue
		}
		if n.damage != "" {
			t.bad(n.row.Line, n.damage)
			continue
		}
		n.row.Chunk = t.seq
		if t.keepRaw && n.row.Depth == 0 {
			n.row.Raw = raw()
		}
		if n.decoded {
			t.report.Decoded++
		}
		t.report.Rows++
		if err := visit(&n.row); err != nil {
			return err
		}
	}
	return nil
}

// tree visits a top-level sample with those inside it. A damaged one takes those
// inside it with it.
func (t *rowTree) tree(nodes []xmlNode, visit func(*Sample) error) error {
	var path []*Sample // from the top-level sample to the last one
	for i := range nodes {
		n := &nodes[i]
		if n.damage != "" {
			t.bad(n.row.Line, n.damage)
			if n.row.Depth == 0 {
				return nil
			}
		}
		if n.decoded {
			t.report.Decoded++
		}
		s := n.sample()
		path = append(path[:n.row.Depth], s)
		if n.row.Depth > 0 && n.damage == "" {
			parent := path[n.row.Depth-1]
			parent.Subs = append(parent.Subs, s)
		}
	}
	t.report.Rows++
	return visit(path[0])
}

// clearChildren makes room for them.
func (n *xmlNode) clearChildren() {
	if n.children == nil {
		n.children = new([numXMLTags][]byte)
	}
	clear(n.children[:])
}

// sample is the whole of a node but its sub-results.
func (n *xmlNode) sample() *Sample {
	s := &Sample{}
	if len(n.asserts) > 0 {
		n.row.FailureMessage = nil // it stands in asserts
	}
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
