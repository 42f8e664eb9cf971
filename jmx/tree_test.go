package jmx

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func decode(t *testing.T, src string) *Tree {
	t.Helper()
	tree, err := Decode(strings.NewReader(src), "x.jmx")
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func encode(t *testing.T, tree *Tree) string {
	t.Helper()
	var b bytes.Buffer
	if err := tree.Encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestNode(t *testing.T) {
	tree := decode(t, before+plan+users+login+`<stringProp name="a">1</stringProp>
<elementProp name="args" elementType="Arguments"><stringProp name="b">2</stringProp></elementProp>
<stringProp name="a">3</stringProp></HTTPSamplerProxy></hashTree></hashTree>`+after)
	n := tree.Roots[0].Children[0].Children[0]
	if got := n.Text("a"); got != "3" {
		t.Errorf("the last of a name counts, not %q", got)
	}
	if n.Prop("none") != nil || n.Text("none") != "" || n.Prop("args").Text("b") != "2" || n.Prop("args").Text("c") != "" {
		t.Error("Prop, Text")
	}
	if got, want := n.Path(), `Plan > Users > "Login"`; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if n.Line != 7 || n.Props[0].Line != 8 || n.Props[1].Props[0].Line != 9 || n.Props[2].Line != 10 {
		t.Errorf("lines %d %d %d", n.Line, n.Props[0].Line, n.Props[2].Line)
	}

	group := n.Parent
	c := group.Clone()
	if c.Parent != nil || c.Children[0].Parent != c {
		t.Error("parents of a clone")
	}
	c.Parent = group.Parent
	if !reflect.DeepEqual(c, group) {
		t.Error("a clone is not equal")
	}
	c.Children[0].Props[1].Props[0].Value = "changed"
	if n.Prop("args").Text("b") != "2" {
		t.Error("a clone shares a property")
	}
}

func TestEncodeByHand(t *testing.T) {
	group := &Node{Class: "ThreadGroup", GUI: "ThreadGroupGui", Name: `a "b"` + "\n", Enabled: true, Props: []*Prop{
		{Name: "s", Value: "x\r\n\x01<&>\U0010FFFD"},
		{Kind: Bool, Name: "b", Value: "true"},
		{Kind: Double, Name: "d", Value: "1.5"},
		{Kind: Collection, Name: "c"},
		{Kind: Element, Name: "e", Class: "Argument", Enabled: true, Props: []*Prop{{Kind: Int, Name: "i", Value: "1"}}},
		{Kind: Object, Name: "o", Class: "SampleSaveConfiguration", Props: []*Prop{{Name: "time", Value: "true"}}},
	}}
	plan := &Node{Class: "com.example.My_Plan$Inner", GUI: "g", Enabled: false}
	plan.Append(group)
	tree := &Tree{Roots: []*Node{plan}}
	want := `<?xml version="1.0" encoding="UTF-8"?>
<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3">
  <hashTree>
    <com.example.My__Plan_-Inner guiclass="g" testclass="com.example.My_Plan$Inner" testname="" enabled="false"/>
    <hashTree>
      <ThreadGroup guiclass="ThreadGroupGui" testclass="ThreadGroup" testname="a &quot;b&quot;&#xa;">
        <stringProp name="s">x&#xd;
&#x1;&lt;&amp;&gt;` + "\U0010FFFD" + `</stringProp>
        <boolProp name="b">true</boolProp>
        <doubleProp>
          <name>d</name>
          <value>1.5</value>
          <savedValue>0.0</savedValue>
        </doubleProp>
        <collectionProp name="c"/>
        <elementProp name="e" elementType="Argument">
          <intProp name="i">1</intProp>
        </elementProp>
        <objProp>
          <name>o</name>
          <value class="SampleSaveConfiguration">
            <time>true</time>
          </value>
        </objProp>
      </ThreadGroup>
      <hashTree/>
    </hashTree>
  </hashTree>
</jmeterTestPlan>
`
	got := encode(t, tree)
	if got != want {
		t.Errorf("wrote\n%s", got)
	}
	again := decode(t, got)
	if n := again.Roots[0]; n.Class != plan.Class || n.Enabled || n.Children[0].Text("s") != group.Text("s") || n.Children[0].Name != group.Name {
		t.Errorf("read %+v", n)
	}

	group.Class = "no tag"
	if err := tree.Encode(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), `"no tag" cannot be a tag`) {
		t.Errorf("%v", err)
	}
}

// TestEncodeChanges changes fields of what was read: the file must follow, and
// all that was not changed must stay.
func TestEncodeChanges(t *testing.T) {
	tree := decode(t, before+`<!-- first --><HTTPSampler class="HTTPSampler" x="1" guiclass="HttpTestSampleGui2" testclass="HTTPSampler" testname="old" enabled="TRUE">
<!-- a --><stringProp y="2" name="a">1</stringProp><!-- end --></HTTPSampler><!-- tree --><hashTree type="z"><!-- in --></hashTree>`+after)
	n := tree.Roots[0]
	keep := encode(t, tree)
	for _, part := range []string{"<!-- first -->", `<HTTPSampler class="HTTPSampler" x="1" guiclass="HttpTestSampleGui2" testclass="HTTPSampler" testname="old" enabled="TRUE">`,
		"<!-- a -->", `<stringProp y="2" name="a">1</stringProp>`, "<!-- end -->", "<!-- tree -->", `<hashTree type="z">`, "<!-- in -->"} {
		if !strings.Contains(keep, part) {
			t.Errorf("no %s in\n%s", part, keep)
		}
	}
	n.Name, n.Enabled, n.GUI, n.Class = "new", false, "TestBeanGUI", "DebugSampler"
	n.Props[0].Name, n.Props[0].Value = "b", "2"
	changed := encode(t, tree)
	for _, part := range []string{"<!-- first -->", `<DebugSampler x="1" guiclass="TestBeanGUI" testclass="DebugSampler" testname="new" enabled="false">`, `<stringProp y="2" name="b">2</stringProp>`} {
		if !strings.Contains(changed, part) {
			t.Errorf("no %s in\n%s", part, changed)
		}
	}
	if again := decode(t, changed).Roots[0]; again.Class != "DebugSampler" || again.GUI != "TestBeanGUI" || again.Enabled || again.Text("b") != "2" {
		t.Errorf("read %+v", again)
	}
}

// TestAround: what stands around the plan stays, what JMeter never reads is cut.
func TestAround(t *testing.T) {
	const envelope = "<!-- a -->\n<?b c?>\n" + `<jmeterTestPlan version="1.2" x="y">
  <!-- d -->
  <hashTree/>
  <other z="&#x9;"><in/><!-- e --><?f g?>text</other>
</jmeterTestPlan>
<!-- h -->
`
	const head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	tree := decode(t, "<?xml\nversion='1.1'?><!DOCTYPE jmeterTestPlan>"+envelope+"<?xml version='1.0'?><jmeterTestPlan>")
	if got := encode(t, tree); got != head+envelope {
		t.Errorf("wrote\n%s", got)
	}
	roundTrip(t, tree)
	for _, junk := range []string{"text", "<a>", "</a>", "<!-- ", "<![CDATA[", "<!DOCTYPE", "<<<<<<<"} {
		if got := encode(t, decode(t, envelope+junk)); got != head+envelope {
			t.Errorf("%s: wrote\n%s", junk, got)
		}
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "plan.jmx")
	tree := decode(t, before+plan+"</hashTree>"+after)
	if err := tree.Write(path); err != nil {
		t.Fatal(err)
	}
	again, err := Read(path)
	if err != nil || again.Path != path || again.Roots[0].Name != "Plan" {
		t.Fatalf("%v %+v", err, again)
	}
	again.Roots[0].Class, again.Roots[0].Tag = "", ""
	if err := again.Write(path); err == nil {
		t.Error("wrote a node without a class")
	}
	files, _ := os.ReadDir(dir)
	if kept, err := Read(path); err != nil || kept.Roots[0].Name != "Plan" || len(files) != 1 {
		t.Errorf("a failed write left %v, %v", files, err)
	}
	if err := tree.Write(filepath.Join(dir, "none", "plan.jmx")); err == nil {
		t.Error("wrote into a folder that is not there")
	}
}
