// Inflates LZMA: the format .lzma of Igor Pavlov's LZMA SDK ("LZMA specification", 2015, whose names
// stand here), which makes the tools a third smaller than deflate does.

const top = 2 ** 24, bits = 11, half = 1 << (bits - 1), move = 5;
const firstLengths = 4, endOfDirect = 14, alignBits = 4, smallestMatch = 2;

/** @param {number} n @returns {Uint16Array} probabilities of one half */
const probabilities = (n) => new Uint16Array(n).fill(half);

/** Decodes bits by the range coder. */
class Range {
	/** @param {Uint8Array} from @param {number} at */
	constructor(from, at) {
		this.from = from;
		this.at = at + 5;
		this.code = (from[at + 1] << 24 | from[at + 2] << 16 | from[at + 3] << 8 | from[at + 4]) >>> 0;
		this.range = 0xffffffff;
	}

	/** @param {Uint16Array} probs @param {number} i */
	bit(probs, i) {
		const p = probs[i], bound = (this.range >>> bits) * p;
		let bit = 0;
		if (this.code < bound) {
			this.range = bound;
			probs[i] = p + (((1 << bits) - p) >> move);
		} else {
			this.code -= bound;
			this.range -= bound;
			probs[i] = p - (p >> move);
			bit = 1;
		}
		if (this.range < top) {
			this.range = (this.range << 8) >>> 0;
			this.code = (this.code << 8 | this.from[this.at++]) >>> 0;
		}
		return bit;
	}

	/** @param {number} n */
	direct(n) {
		let value = 0;
		for (; n > 0; n--) {
			this.range >>>= 1;
			const one = this.code >= this.range ? 1 : 0;
			if (one) this.code -= this.range;
			value = value << 1 | one;
			if (this.range < top) {
				this.range = (this.range << 8) >>> 0;
				this.code = (this.code << 8 | this.from[this.at++]) >>> 0;
			}
		}
		return value >>> 0;
	}

	/** @param {Uint16Array} probs @param {number} offset @param {number} n */
	tree(probs, offset, n) {
		let m = 1;
		for (let i = 0; i < n; i++) m = m << 1 | this.bit(probs, offset + m);
		return m - (1 << n);
	}

	/** The same from the lowest bit on. @param {Uint16Array} probs @param {number} offset @param {number} n */
	reverseTree(probs, offset, n) {
		let m = 1, value = 0;
		for (let i = 0; i < n; i++) {
			const bit = this.bit(probs, offset + m);
			m = m << 1 | bit;
			value |= bit << i;
		}
		return value;
	}
}

/** Decodes the lengths of matches. */
class Lengths {
	choice = probabilities(2);
	low = probabilities(16 << 3);
	mid = probabilities(16 << 3);
	high = probabilities(256);

	/** @param {Range} r @param {number} posState */
	decode(r, posState) {
		if (!r.bit(this.choice, 0)) return r.tree(this.low, posState << 3, 3);
		if (!r.bit(this.choice, 1)) return 8 + r.tree(this.mid, posState << 3, 3);
		return 16 + r.tree(this.high, 0, 8);
	}
}

/** @param {Uint8Array} from @returns {Uint8Array<ArrayBuffer>} */
export function inflate(from) {
	const size = Number(new DataView(from.buffer, from.byteOffset).getBigUint64(5, true));
	const lc = from[0] % 9, lp = Math.floor(from[0] / 9) % 5, pb = Math.floor(from[0] / 45);
	const out = new Uint8Array(size), r = new Range(from, 13);
	const literal = probabilities(0x300 << (lc + lp)), posMask = (1 << pb) - 1, lpMask = (1 << lp) - 1;
	const isMatch = probabilities(12 << 4), isRep = probabilities(12), isRepG0 = probabilities(12), isRepG1 = probabilities(12), isRepG2 = probabilities(12), isRep0Long = probabilities(12 << 4);
	const slots = probabilities(firstLengths << 6), special = probabilities(115), align = probabilities(1 << alignBits), lengths = new Lengths(), repLengths = new Lengths();
	let state = 0, rep0 = 0, rep1 = 0, rep2 = 0, rep3 = 0;
	for (let at = 0; at < size;) {
		const posState = at & posMask;
		if (!r.bit(isMatch, state << 4 | posState)) {
			const before = at > 0 ? out[at - 1] : 0, offset = 0x300 * (((at & lpMask) << lc) + (before >> (8 - lc)));
			let symbol = 1;
			if (state >= 7) {
				let match = out[at - rep0 - 1];
				do {
					const bit = match >> 7 & 1;
					match <<= 1;
					const got = r.bit(literal, offset + ((1 + bit) << 8) + symbol);
					symbol = symbol << 1 | got;
					if (bit !== got) break;
				} while (symbol < 0x100);
			}
			while (symbol < 0x100) symbol = symbol << 1 | r.bit(literal, offset + symbol);
			out[at++] = symbol;
			state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
			continue;
		}
		let length;
		if (r.bit(isRep, state)) {
			if (!r.bit(isRepG0, state)) {
				if (!r.bit(isRep0Long, state << 4 | posState)) {
					state = state < 7 ? 9 : 11;
					out[at] = out[at - rep0 - 1];
					at++;
					continue;
				}
			} else {
				let distance = rep1;
				if (r.bit(isRepG1, state)) {
					distance = rep2;
					if (r.bit(isRepG2, state)) {
						distance = rep3;
						rep3 = rep2;
					}
					rep2 = rep1;
				}
				rep1 = rep0;
				rep0 = distance;
			}
			length = repLengths.decode(r, posState);
			state = state < 7 ? 8 : 11;
		} else {
			[rep3, rep2, rep1] = [rep2, rep1, rep0];
			length = lengths.decode(r, posState);
			state = state < 7 ? 7 : 10;
			const slot = r.tree(slots, Math.min(length, firstLengths - 1) << 6, 6);
			rep0 = slot;
			if (slot >= 4) {
				const n = (slot >> 1) - 1;
				rep0 = ((2 | slot & 1) << n) >>> 0;
				if (slot < endOfDirect) rep0 += r.reverseTree(special, rep0 - slot, n);
				else rep0 = (rep0 + (r.direct(n - alignBits) << alignBits) + r.reverseTree(align, 0, alignBits)) >>> 0;
			}
			if (rep0 === 0xffffffff) break; // the end is marked
		}
		if (rep0 >= at) throw new Error("LZMA: a match begins before the text");
		const end = Math.min(at + length + smallestMatch, size);
		for (let i = at - rep0 - 1; at < end;) out[at++] = out[i++];
	}
	return out;
}
