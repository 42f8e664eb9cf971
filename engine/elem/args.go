package elem

import "github.com/gojm/gojm/engine/vu"

// PutArgs sets variables to the values of a table, all of which are read before
// any is set; of two rows of one name the first counts.
func PutArgs(t *vu.Thread, args []Arg) {
	type variable struct{ name, value string }
	vars := make([]variable, 0, len(args))
next:
	for i := range args {
		name := args[i].Name.Eval(t)
		for _, v := range vars {
			if v.name == name {
				continue next
			}
		}
		vars = append(vars, variable{name, args[i].Value.Eval(t)})
	}
	for _, v := range vars {
		t.Vars.Put(v.name, v.value)
	}
}
