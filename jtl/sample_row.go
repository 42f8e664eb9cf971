package jtl

// fromRow fills a reset s with what a row tells.
func (s *Sample) fromRow(r *Row) {
	s.Label, s.Code, s.Message = string(r.Label), string(r.Code), string(r.Message)
	s.ThreadName, s.DataType, s.URL = string(r.Thread), string(r.DataType), string(r.URL)
	s.FileName, s.Encoding, s.Hostname = string(r.FileName), string(r.Encoding), string(r.Hostname)
	s.Start, s.End, s.Elapsed = r.Start, r.End, r.Elapsed
	s.Latency, s.IdleTime, s.Connect = r.Latency, r.IdleTime, r.Connect
	s.Bytes, s.SentBytes = r.Bytes, r.SentBytes
	s.GroupThreads, s.AllThreads = int(r.GroupThreads), int(r.AllThreads)
	s.SampleCount, s.ErrorCount = int(r.SampleCount), int(r.ErrorCount)
	s.Success, s.HTTP, s.Transaction = r.Success, r.HTTP, r.IsTransaction()
	if len(r.FailureMessage) > 0 {
		s.Assertions = append(s.Assertions, Assertion{
			Failure: !r.Success, Message: string(r.FailureMessage), HasMessage: true,
		})
	}
	for _, v := range r.Extra {
		if string(v) == "null" {
			s.Vars = append(s.Vars, nil)
			continue
		}
		text := string(v)
		s.Vars = append(s.Vars, &text)
	}
}
