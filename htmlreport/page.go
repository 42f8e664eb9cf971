package htmlreport

// Page makes the dashboard.
func (r *Report) Page() ([]byte, error) { return nil, nil }
