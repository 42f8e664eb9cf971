package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLogLines(t *testing.T) {
	l := newLogger()
	log := slog.New(l)
	at := func(lv slog.Level, text string, attrs ...any) {
		r := slog.NewRecord(time.Date(2026, 11, 30, 7, 36, 25, 42e6, time.UTC), lv, text, 0)
		r.Add(attrs...)
		if log.Enabled(context.Background(), lv) {
			if err := l.Handle(context.Background(), r); err != nil {
				t.Error(err)
			}
		}
	}
	at(slog.LevelWarn, "early")
	if err := l.setLevel("jmeter.threads.JMeterThread", "debug"); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "run.log")
	if err := l.open(name); err != nil {
		t.Fatal(err)
	}
	at(slog.LevelInfo, "Thread started: Users 1-1", "logger", "o.a.j.t.JMeterThread")
	at(slog.LevelDebug, "detail", "logger", "o.a.j.t.JMeterThread", "n", 1, "err", errors.New("no such"))
	at(slog.LevelDebug, "not shown", "logger", "o.a.j.e.StandardJMeterEngine")
	at(levelTrace, "not shown either", "logger", "o.a.j.t.JMeterThread")
	l.close()
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := `2026-11-30 07:36:25,042 WARN o.a.j.JMeter: early
2026-11-30 07:36:25,042 INFO o.a.j.t.JMeterThread: Thread started: Users 1-1
2026-11-30 07:36:25,042 DEBUG o.a.j.t.JMeterThread: detail n=1 err=no such
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestLogLevels(t *testing.T) {
	for _, tt := range []struct {
		set   [][2]string
		class string
		want  slog.Level
	}{
		{nil, "x.Y", slog.LevelInfo},
		{[][2]string{{"ERROR", ""}}, "x.Y", slog.LevelError},
		{[][2]string{{"jmeter.threads", "TRACE"}}, "o.a.j.t.JMeterThread", levelTrace},
		{[][2]string{{"jmeter.threads", "TRACE"}}, "o.a.j.e.Engine", slog.LevelInfo},
		{[][2]string{{"org.apache.jmeter.threads.JMeterThread", "WARN"}}, "o.a.j.t.JMeterThread", slog.LevelWarn},
		{[][2]string{{"jmeter", "OFF"}, {"jmeter.threads", "DEBUG"}}, "o.a.j.t.JMeterThread", slog.LevelDebug},
		{[][2]string{{"jmeter.threads", "DEBUG"}, {"jmeter", "OFF"}}, "o.a.j.t.JMeterThread", slog.LevelDebug},
		{[][2]string{{"jmeter", "OFF"}}, "o.a.j.JMeter", levelOff},
		{[][2]string{{"com.example.foo", "WARN"}}, "c.e.f.Bar", slog.LevelWarn},
		{[][2]string{{"x", "WARN"}, {"x", "DEBUG"}}, "x.Y", slog.LevelDebug},
		{[][2]string{{"fatal", ""}}, "x.Y", levelFatal},
	} {
		l := newLogger()
		for _, s := range tt.set {
			if err := l.setLevel(s[0], s[1]); err != nil {
				t.Error(err)
			}
		}
		if got := l.level(tt.class); got != tt.want || l.lowest > tt.want {
			t.Errorf("%v: %s is at %v (lowest %v), want %v", tt.set, tt.class, got, l.lowest, tt.want)
		}
	}
	if err := newLogger().setLevel("x", "LOUD"); err == nil {
		t.Error("LOUD is a level")
	}
}

func TestLogName(t *testing.T) {
	now := time.Date(2026, 11, 30, 7, 6, 5, 0, time.UTC)
	for _, tt := range []struct{ in, want string }{
		{"jmeter.log", "jmeter.log"},
		{"run_'yyyyMMddHHmmss'.log", "run_20261130070605.log"},
		{"'yyyy'-'MM'.log", "2026-11.log"},
		{"it's.log", "it's.log"}, // a quote without its pair
		{"a'yyyy'b", "a2026b"},   // JMeter loses the b
		{"x", "x"},
	} {
		if got := logName(tt.in, now); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestSecret(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"/usr/bin/gojm", "-n", "-Jusers=5"}, "gojm -n -Jusers=5"},
		{[]string{"gojm", "-JdbPassword=x", "-Japi_key=y", "-Jtoken", "z", "-Dhttp.proxyPass=q"}, "gojm -JdbPassword=*** -Japi_key=*** -Jtoken *** -Dhttp.proxyPass=***"},
		{[]string{"gojm", "-u", "me", "-a", "x", "--password", "y", "-az"}, "gojm -u me -a *** --password *** -a***"},
		{[]string{"gojm", "-a"}, "gojm -a"},
		{[]string{"gojm", "--password=x"}, "gojm --password=***"},
		{[]string{"gojm", "-Jsecret", "-n"}, "gojm -Jsecret -n"},
	} {
		if got := commandLine(tt.args); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}
