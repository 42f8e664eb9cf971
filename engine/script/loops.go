package script

// loop decides what the end of a loop's body means for the loop: done ends it with the flow given.
func (fr *frame) loop(f flow, label string) (done bool, out flow) {
	switch f {
	case flowBreak:
		if fr.label == "" || fr.label == label {
			fr.label = ""
			return true, flowNext
		}
		return true, flowBreak
	case flowContinue:
		if fr.label == "" || fr.label == label {
			fr.label = ""
			return false, flowNext
		}
		return true, flowContinue
	case flowReturn:
		return true, flowReturn
	}
	return false, flowNext
}

func (c *compiler) while(s *whileStmt) action {
	cond, body, after, label := c.truth(s.cond), c.block(s.body, false), s.after, s.label
	tracked := c.dialect.tracked
	return func(fr *frame) (flow, error) {
		if tracked {
			fr.ret = nil
		}
		for first := true; ; first = false {
			if !after || !first {
				ok, err := cond(fr)
				if err != nil || !ok {
					return flowNext, err
				}
			}
			f, err := body(fr)
			if err != nil {
				return 0, err
			}
			if done, out := fr.loop(f, label); done {
				return out, nil
			}
			if err := fr.run.tick(); err != nil {
				return 0, err
			}
		}
	}
}

func (c *compiler) forLoop(s *forStmt) action {
	c.push()
	defer c.pop()
	init := c.statements(s.init, false)
	cond := func(*frame) (bool, error) { return true, nil }
	if s.cond != nil {
		cond = c.truth(s.cond)
	}
	body, step, label := c.block(s.body, false), c.statements(s.step, false), s.label
	return func(fr *frame) (flow, error) {
		if _, err := init(fr); err != nil {
			return 0, err
		}
		for {
			ok, err := cond(fr)
			if err != nil || !ok {
				return flowNext, err
			}
			f, err := body(fr)
			if err != nil {
				return 0, err
			}
			if done, out := fr.loop(f, label); done {
				return out, nil
			}
			if _, err := step(fr); err != nil {
				return 0, err
			}
			if err := fr.run.tick(); err != nil {
				return 0, err
			}
		}
	}
}

func (c *compiler) forIn(s *forIn) action {
	c.push()
	defer c.pop()
	in := c.expr(s.in)
	l := c.declare(s.name, s.class)
	set := c.initLocal(l)
	body, label := c.block(s.body, false), s.label
	lenient := c.dialect.name != "beanshell"
	tracked := c.dialect.tracked
	return func(fr *frame) (flow, error) {
		if tracked {
			fr.ret = nil
		}
		v, err := in(fr)
		if err != nil {
			return 0, err
		}
		list, ok := items(v)
		if m, isMap := v.(*Map); isMap && tracked { // JEXL runs over the values
			list = m.values()
		}
		if _, isText := v.(string); tracked && (isText || !ok) { // and not over anything else
			list, ok = nil, true
		}
		switch {
		case ok:
		case v == nil && lenient:
		case lenient:
			list = []Value{v} // Groovy runs once over anything else
		default:
			return 0, throw("java.lang.RuntimeException", "Cannot iterate over %s", classOf(v).Name)
		}
		for _, e := range list {
			if err := set(fr, e); err != nil {
				return 0, err
			}
			f, err := body(fr)
			if err != nil {
				return 0, err
			}
			if done, out := fr.loop(f, label); done {
				return out, nil
			}
			if err := fr.run.tick(); err != nil {
				return 0, err
			}
		}
		return flowNext, nil
	}
}

func (c *compiler) switchCase(s *switchStmt, tail bool) action {
	type oneCase struct {
		tests  []code
		isElse bool
		body   action
	}
	x := c.expr(s.x)
	c.push()
	defer c.pop()
	cases := make([]oneCase, len(s.cases))
	other := -1
	for i, k := range s.cases {
		oc := oneCase{isElse: k.isElse}
		for _, t := range k.tests {
			oc.tests = append(oc.tests, c.expr(t))
		}
		// The value of the last case, or of one that ends in break, is the value of the switch.
		body := k.body
		last := i == len(s.cases)-1
		if n := len(body); tail && n > 1 {
			if j, ok := body[n-1].(*jump); ok && !j.cont && j.label == "" {
				body, last = body[:n-1], true
			}
		}
		oc.body = c.statements(body, tail && last)
		if k.isElse {
			other = i
		}
		cases[i] = oc
	}
	matches, label := c.dialect.caseMatches, s.label
	return func(fr *frame) (flow, error) {
		v, err := x(fr)
		if err != nil {
			return 0, err
		}
		from := other
	find:
		for i, k := range cases {
			for _, t := range k.tests {
				want, err := t(fr)
				if err != nil {
					return 0, err
				}
				ok, err := matches(fr.run, want, v)
				if err != nil {
					return 0, err
				}
				if ok {
					from = i
					break find
				}
			}
		}
		if from < 0 {
			return flowNext, nil
		}
		for _, k := range cases[from:] {
			f, err := k.body(fr)
			if err != nil {
				return 0, err
			}
			if f == flowBreak && (fr.label == "" || fr.label == label) {
				fr.label = ""
				return flowNext, nil
			}
			if f != flowNext {
				return f, nil
			}
		}
		return flowNext, nil
	}
}

func (c *compiler) try(s *tryStmt, tail bool) action {
	body := c.block(s.body, tail)
	type handler struct {
		classes []*Class
		local   *local
		body    action
	}
	var handlers []handler
	for _, k := range s.catches {
		h := handler{}
		for _, t := range k.classes {
			if cl := c.typeClass(t); cl != nil {
				h.classes = append(h.classes, cl)
			}
		}
		c.push()
		h.local = c.declare(k.name, typeRef{})
		h.body = c.block(k.body, tail)
		c.pop()
		handlers = append(handlers, h)
	}
	var finally action
	if s.finally != nil {
		finally = c.block(s.finally, false)
	}
	caught := func(fr *frame) (flow, error) {
		f, err := body(fr)
		if err == nil {
			return f, nil
		}
		t := asThrowable(err)
		for _, h := range handlers {
			match := len(h.classes) == 0 && t.isA("java.lang.Exception")
			for _, cl := range h.classes {
				match = match || t.isA(cl.Name)
			}
			if match {
				h.local.init(fr, t)
				return h.body(fr)
			}
		}
		return 0, t
	}
	if finally == nil {
		return caught
	}
	return func(fr *frame) (flow, error) {
		f, err := caught(fr)
		ret := fr.ret
		if f2, err2 := finally(fr); err2 != nil || f2 != flowNext {
			return f2, err2
		}
		fr.ret = ret
		return f, err
	}
}

func (c *compiler) assert(s *assertStmt) action {
	cond := c.truth(s.cond)
	var message code
	if s.message != nil {
		message = c.expr(s.message)
	}
	text := s.text
	return func(fr *frame) (flow, error) {
		ok, err := cond(fr)
		if err != nil || ok {
			return flowNext, err
		}
		if message == nil {
			return 0, throw("org.codehaus.groovy.runtime.powerassert.PowerAssertionError", "assert %s", text)
		}
		m, err := message(fr)
		if err != nil {
			return 0, err
		}
		return 0, throw("java.lang.AssertionError", "%s. Expression: (%s)", groovyString(m), text)
	}
}
