import { describe, expect, it } from 'vitest'
import { someOf } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { readDirection } from './auto-prev-next-node-postprocessor.ts'

const answers: Record<string, string[]> = {
  previous: [
    'PREVIOUS',
    '  Previous.',
    'previous',
    '**PREVIOUS**',
    '"PREVIOUS"',
    'Answer: PREVIOUS',
    '{"answer": "PREVIOUS"}',
    '<answer>PREVIOUS</answer>',
    '`previous`',
    'ＰＲＥＶＩＯＵＳ',
    'The answer is PREVIOUS.',
    'I need the previous text.',
    'The previous paragraph is needed.',
    'PREVIOUS, not NEXT',
    'PREVIOUS rather than NEXT',
    'PREVIOUS (not NONE)',
    'Not NEXT. PREVIOUS.',
    'Not NEXT but PREVIOUS',
    'NEXT is not needed, PREVIOUS is.',
    'I first thought NEXT, but it is PREVIOUS.',
    'PREVIOUS, since the next text would not help.',
    'PREVIOUS. The next paragraph is about something else.',
    '<think>NEXT or NONE?</think>PREVIOUS',
    'Maybe NEXT.</think>\nPREVIOUS',
    'PREVIOUS\n<think>or NEXT',
    '[THINK]NEXT[/THINK]PREVIOUS',
    'NONE? No: PREVIOUS',
    'Direction: previous\nConfidence: 9',
  ],
  next: [
    'NEXT',
    'Next!',
    '- NEXT',
    '## NEXT',
    'NEXT, not PREVIOUS',
    'NONE or NEXT',
    'NEXT: the passage refers to previous events.',
    'NEXT. The previous text is not needed.',
    'The previous text is not needed. NEXT',
    'PREVIOUS is unnecessary; NEXT',
    'PREVIOUS isn’t needed. NEXT.',
    'We do not need the previous text, we need the next text.',
    'not PREVIOUS but NEXT',
    'NEXT instead of PREVIOUS',
    'NEXT without PREVIOUS',
    'next\n',
    '<thinking>PREVIOUS</thinking> NEXT',
    'The text after it is needed: NEXT',
    'PREVIOUS... wait, NEXT',
    'NEXT (the list goes on)',
    'answer=NEXT',
  ],
  none: [
    'NONE',
    'None.',
    'none',
    '**None**',
    'The previous text is not needed. NONE',
    'Neither PREVIOUS nor NEXT: NONE',
    'Neither previous nor next.',
    'None of the previous or next text is needed.',
    'NONE, as neither the previous nor the next text would help.',
    'No previous or next text is needed.',
    'PREVIOUS would not help, NEXT would not help. NONE.',
    "I don't need the previous text and I don't need the next text. NONE",
    '<think>PREVIOUS? NEXT?</think>NONE',
    'NONE. The passage is enough; the next paragraph changes the subject.',
  ],
}

describe('readDirection', () => {
  it('is tested with at least 50 different forms', () => {
    expect(new Set(Object.values(answers).flat()).size).toBeGreaterThanOrEqual(50)
  })

  it.each(Object.entries(answers).flatMap(([mode, texts]) => texts.map((text) => [mode, text])))(
    'reads %s in %j',
    (mode, text) => {
      expect(readDirection(text)).toBe(mode)
    },
  )

  it.each(['', 'I cannot tell', 'PREVIOUS is not needed.', 'Previously it was nonexistent.', 'vorher', '<think>NEXT'])(
    'finds no direction in %j',
    (text) => {
      expect(readDirection(text)).toBeUndefined()
    },
  )

  it.each(someOf(['next ', 'not ', 'not next ', 'previous is ', '<think>', ' ', 'no a ', 'next a '], 3))(
    'takes linear time on many %j',
    { tags: 'growth' },
    async (unit) => {
      expect(await growthOf((size) => readDirection(unit.repeat(size)), 5000)).toBeLessThan(1.75)
    },
  )
})
