package function

import "hash"

// md2 is the digest MD2 (RFC 1319), which Java still has and Go's library has not.
type md2 struct {
	state, sum [16]byte
	block      []byte
}

func newMD2() hash.Hash { return new(md2) }

func (d *md2) Size() int      { return 16 }
func (d *md2) BlockSize() int { return 16 }
func (d *md2) Reset()         { *d = md2{} }

func (d *md2) Write(p []byte) (int, error) {
	d.block = append(d.block, p...)
	for len(d.block) >= 16 {
		d.mix([16]byte(d.block))
		d.block = d.block[16:]
	}
	return len(p), nil
}

func (d *md2) Sum(dst []byte) []byte {
	e := *d
	pad := 16 - len(e.block)
	last := [16]byte{}
	for i := copy(last[:], e.block); i < 16; i++ {
		last[i] = byte(pad)
	}
	e.mix(last)
	e.mix(e.sum)
	return append(dst, e.state[:]...)
}

// mix takes one block into the checksum and the state.
func (d *md2) mix(block [16]byte) {
	l := d.sum[15]
	for i, b := range block {
		d.sum[i] ^= md2Table[b^l]
		l = d.sum[i]
	}
	var x [48]byte
	for i, b := range block {
		x[i], x[16+i], x[32+i] = d.state[i], b, d.state[i]^b
	}
	var t byte
	for round := range byte(18) {
		for i := range x {
			x[i] ^= md2Table[t]
			t = x[i]
		}
		t += round
	}
	copy(d.state[:], x[:16])
}

// md2Table is a permutation of the bytes, drawn by the digits of pi.
var md2Table = [256]byte{
	41, 46, 67, 201, 162, 216, 124, 1, 61, 54, 84, 161, 236, 240, 6, 19,
	98, 167, 5, 243, 192, 199, 115, 140, 152, 147, 43, 217, 188, 76, 130, 202,
	30, 155, 87, 60, 253, 212, 224, 22, 103, 66, 111, 24, 138, 23, 229, 18,
	190, 78, 196, 214, 218, 158, 222, 73, 160, 251, 245, 142, 187, 47, 238, 122,
	169, 104, 121, 145, 21, 178, 7, 63, 148, 194, 16, 137, 11, 34, 95, 33,
	128, 127, 93, 154, 90, 144, 50, 39, 53, 62, 204, 231, 191, 247, 151, 3,
	255, 25, 48, 179, 72, 165, 181, 209, 215, 94, 146, 42, 172, 86, 170, 198,
	79, 184, 56, 210, 150, 164, 125, 182, 118, 252, 107, 226, 156, 116, 4, 241,
	69, 157, 112, 89, 100, 113, 135, 32, 134, 91, 207, 101, 230, 45, 168, 2,
	27, 96, 37, 173, 174, 176, 185, 246, 28, 70, 97, 105, 52, 64, 126, 15,
	85, 71, 163, 35, 221, 81, 175, 58, 195, 92, 249, 206, 186, 197, 234, 38,
	44, 83, 13, 110, 133, 40, 132, 9, 211, 223, 205, 244, 65, 129, 77, 82,
	106, 220, 55, 200, 108, 193, 171, 250, 36, 225, 123, 8, 12, 189, 177, 74,
	120, 136, 149, 139, 227, 99, 232, 109, 233, 203, 213, 254, 59, 0, 29, 57,
	242, 239, 183, 14, 102, 88, 208, 228, 166, 119, 114, 248, 235, 117, 75, 10,
	49, 68, 80, 180, 143, 237, 31, 26, 219, 153, 141, 51, 159, 17, 131, 20,
}
