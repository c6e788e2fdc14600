// Numbers as people read them.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as format from '../../web/src/format.ts';

test('times choose their unit', () => {
  assert.equal(format.time(3.2e-9), '3.2 ns');
  assert.equal(format.time(1.234e-5), '12.3 µs');
  assert.equal(format.time(0.00999999), '10 ms');
  assert.equal(format.time(0.9999), '1 s');
  assert.equal(format.time(119), '119 s');
  assert.equal(format.time(123), '2 min 3 s');
  assert.equal(format.time(7325), '2 h 2 min');
  assert.equal(format.time(null), '–');
  assert.equal(format.time(Infinity), '∞');
});

test('numbers, powers, shares and ranges', () => {
  assert.equal(format.number(0.012345), '0.0123');
  assert.equal(format.number(3.1e-9), '3.1·10⁻⁹');
  assert.equal(format.number(1e-8), '10⁻⁸');
  assert.equal(format.number(-2.5e7), '−2.5·10⁷');
  assert.equal(format.number(NaN), '–');
  assert.equal(format.count(27000), '27\u202f000');
  assert.equal(format.power(1e-4), '10⁻⁴');
  assert.equal(format.power(5e-4), '5·10⁻⁴');
  assert.equal(format.percent(0.002), '<1 %');
  assert.equal(format.percent(0.998), '>99 %');
  assert.equal(format.percent(1), '100 %');
  assert.equal(format.range([3, null, 5]), '3 : 5');
  assert.equal(format.range([null]), '–');
});

test('text cannot become HTML', () => {
  assert.equal(format.escape('<b a="1">&\'</b>'), '&lt;b a=&quot;1&quot;&gt;&amp;&#39;&lt;/b&gt;');
});
