import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { axisOf } from '../../../views/dashboard/axis.ts'
import { type ChartModel, chart } from '../../../views/dashboard/chart.ts'

const bars = [
  { label: '1 March: 30 USD', up: 3000, down: 0 },
  { label: '2 March: <nothing>', up: 0, down: 0 },
  { label: '3 March: 10 USD, 20 USD refunded', up: 1000, down: 2000 },
]

const model: ChartModel = {
  id: 'sales',
  title: 'Sales & refunds',
  description: 'Sales of three days',
  bars,
  periods: ['1 March', '3 March'],
  legend: { up: 'Sales', down: 'Refunds' },
  format: value => `${value / 100} USD`,
}

describe('the axis of a chart', () => {
  test.each<[up: number, down: number, axis: number[]]>([
    [3000, 2000, [4000, 2000, 0, -2000]],
    [4999, 0, [6000, 4000, 2000, 0]],
    [100, 0, [100, 50, 0]],
    [1, 0, [1, 0]],
    [0, 0, [1, 0]],
    [0, 70, [0, -20, -40, -60, -80]],
  ])('for %p above and %p below is %p', (up, down, axis) => {
    expect(axisOf([{ up, down }])).toEqual(axis)
  })

  test('fits every bar, includes zero, and has a few lines at equal distances', () => {
    const value = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
    fc.assert(
      fc.property(fc.array(fc.record({ up: value, down: value }), { maxLength: 20 }), list => {
        const axis = axisOf(list)
        expect(axis).toContain(0)
        expect(axis.length).toBeGreaterThan(1)
        expect(axis.length).toBeLessThanOrEqual(7)
        for (const { up, down } of list) {
          expect(up).toBeLessThanOrEqual(axis[0]!)
          expect(-down).toBeGreaterThanOrEqual(axis.at(-1)!)
        }
        expect(new Set(axis.slice(1).map((line, index) => axis[index]! - line)).size).toBe(1)
      }),
    )
  })
})

describe('a chart', () => {
  const drawn = chart(model).toString()

  test('has a name and a description for screen readers', () => {
    expect(drawn).toContain('role="img"\n aria-labelledby="sales-title sales-text"')
    expect(drawn).toContain('<title id="sales-title">Sales &amp; refunds</title>')
    expect(drawn).toContain('<desc id="sales-text">Sales of three days</desc>')
  })

  test('has bars in proportion, above and below the line', () => {
    const rects = [
      ...drawn.matchAll(/<rect class="(\w+)" x="(\d+)" y="([\d.]+)" width="8" height="([\d.]+)"/g),
    ]
    // The axis runs from 4000 to -2000 over a height of 100, so 1000 is a sixth of it.
    expect(rects.map(match => match.slice(1))).toEqual([
      ['up', '1', '16.67', '50'],
      ['up', '21', '50', '16.67'],
      ['down', '21', '66.67', '33.33'],
    ])
  })

  test('labels its axis and its bars', () => {
    expect([...drawn.matchAll(/<li>(-?\d+ USD)<\/li>/g)].map(match => match[1])).toEqual([
      ...['40 USD', '20 USD', '0 USD', '-20 USD'],
    ])
    expect(drawn).toContain('<g><title>3 March: 10 USD, 20 USD refunded</title>')
  })

  test('has no styles or scripts of its own, which the content security policy forbids', () => {
    expect(drawn).not.toMatch(/style=|<style|<script|on\w+=/)
  })

  test('without refunds has no legend for them', () => {
    const plain = chart({ ...model, bars: bars.slice(0, 2) }).toString()
    expect(plain).not.toContain('Refunds')
    expect(drawn).toContain('Refunds')
  })
})
