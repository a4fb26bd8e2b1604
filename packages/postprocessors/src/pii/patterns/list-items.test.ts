import { TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { someOf } from '../../../../../tools/extent.ts'
import { growthOf } from '../../../../../tools/growth.ts'
import { findPatterns, type PatternRecognizer } from '../find-patterns.ts'
import { NERPIINodePostprocessor } from '../ner-pii-node-postprocessor.ts'
import { birthDates } from './birth-dates.ts'
import { credentials } from './credentials.ts'
import { nationalIdsOf } from './national-ids.ts'

const [a, b, c] = ['030 901820', '030 901821', '030 901822']
const words = (text: string, find: PatternRecognizer = findPatterns) =>
  find(text).map(({ word, start, end }) => (text.slice(start!, end!) === word ? word : 'another place'))

describe('the label of a list', () => {
  it.each([
    `phones: [${a}, ${b}, ${c}]`,
    `phones: ["${a}", '${b}', "${c}"]`,
    `phones:\n  - ${a}\n  - "${b}"\n  - ${c} # at home\n`,
    `phones:\n- ${a}\n- ${b}\n\n- ${c}\ntitle: x\n`,
    `Phones:\n\n- ${a}\n- ${b} (Bob)\n* ${c}\n`,
    `## Phones\n\n1. ${a}\n2. ${b}\n3. ${c}\n`,
    `> **Telefon**\n>\n> - ${a}\n> - [ ] ${b}\n> - ${c}\n`,
    `Phones:\r\n- ${a}\r\n- ${b}\r\n- ${c}\r\n`,
    `You reach us by phone:\n- Ann: ${a}\n- Bob: ${b}\n- Eve: ${c}\n`,
    `phones:\n  ann: ${a}\n  bob: ${b}\n  eve: ${c}\n`,
    `phones:\n  - name: Ann\n    at: ${a}\n  - name: Bob\n    at: ${b}\n  - at: ${c}\n`,
    `- Berlin\n  - phone:\n    - ${a}\n    - ${b}\n    - ${c}\n`,
    `Phones:\n- Berlin\n  - ${a}\n- Bonn\n  - ${b}\n  - ${c}\n`,
    `{"phones": ["${a}", "${b}", "${c}"]}`,
    `{\n  "phones": [\n    "${a}",\n    "${b}",\n    "${c}"\n  ]\n}`,
    `{"phones":{"ann":"${a}","bob":"${b}","eve":"${c}"}}`,
    `{"phones": [{"of": "Ann", "at": "${a}"}, {"at": "${b}"}, {"at": "${c}"}]}`,
    `const phones = ['${a}', '${b}', '${c}']`,
    `Phone: "${a}", "${b}"; "${c}"`,
    `Tel.: ${a}<br>${b}<br/>${c}`,
  ])('counts for all of its items: %j', (text) => {
    expect(words(text)).toEqual([a, b, c])
  })

  it('counts for other kinds too', () => {
    const find = findPatterns({ kinds: [credentials, nationalIdsOf('US', 'NL'), birthDates] })
    expect(words('passwords:\n- hunter!2\n- foo!3bar', find)).toEqual(['hunter!2', 'foo!3bar'])
    expect(words('SSNs: [536904399, 536904398]', find)).toEqual(['536904399', '536904398'])
    expect(words('BSN: 111222333, 123456782', find)).toEqual(['111222333', '123456782'])
    expect(words('Birthdays:\n* 1.2.1990\n* 3.4.1991\n', find)).toEqual(['1.2.1990', '3.4.1991'])
  })

  it.each([
    'Mobile:\n- 120000\n- 345678',
    '## Mobile\n\n- 120000 visits\n- 340000 visits',
    'phones: [120000, 130000]',
    'Prices by phone: 12, 13, 14, 150000',
    'order numbers: [4111111111111111, 4111111111111111]',
    'Order numbers:\n- 4111111111111111\n- 4111111111111111\n',
    'Versions:\n- 1.2.3.4\n- 1.2.3.5',
    '{"mobile": {"visits": 12000000, "bounce": 13000000}}',
    'Phones:\n- released: 20240115\n- price: 12345678\n',
    '## On your phone\n\n- Build 20240115\n- Build 20240116',
    'Phones:\n\nAll of them.\n\n- 12345678\n',
    'phones: []\nsizes: [12345678, 23456789]',
  ])('does not make telephone numbers or cards of other numbers: %j', (text) => {
    expect(words(text)).toEqual([])
  })

  it.each([
    `Phones:\n\n${Array.from({ length: 90 }, (_, i) => `- 030 9018${10 + i} (Person ${i})\n`).join('')}`,
    `phones: [${Array.from({ length: 90 }, (_, i) => `"030 9018${10 + i}"`).join(', ')}]`,
  ])('is read in each window of a long list: %j', async (text) => {
    const parts: string[] = []
    const mask = new NERPIINodePostprocessor({})
    const find = (part: string) => {
      parts.push(part)
      return findPatterns(part)
    }
    const masked = await mask.maskPii(find, text)
    expect(masked.text).not.toContain('030')
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(1000)
    expect(parts.length).toBeGreaterThan(1)
  })

  it.each([
    ['for embedding models', { excludedLlmMetadataKeys: ['phones', 'contact'] }],
    [
      'that is hidden from all models',
      { excludedLlmMetadataKeys: ['phones', 'contact'], excludedEmbedMetadataKeys: ['phones', 'contact'] },
    ],
  ])('is the key of metadata %s', async (_, hidden) => {
    const metadata = { phones: [a, b], contact: { mobile: [c], visits: 120000, sizes: [123456, 234567] } }
    const node = new TextNode({ text: 'x', metadata, ...hidden })
    const [masked] = await new NERPIINodePostprocessor({ ner: findPatterns, mappingSink: () => {} }).transform([node])
    expect(JSON.stringify(masked!.metadata)).not.toContain('030')
    expect(masked!.metadata['contact']).toMatchObject({ visits: 120000, sizes: [123456, 234567] })
  })

  it.each(
    someOf(
      ['- a\n', '[', '[a,', 'a: [', ']', '{"a": ', 'phone: 1, ', '12345, ', ': ', '  - a:\n', '> ', '1. ', 'a\n', '"'],
      3,
    ),
  )('takes linear time on many %j', { tags: 'growth' }, async (unit) => {
    expect(await growthOf((size) => findPatterns(`Phones:\n${unit.repeat(size)}`), 500)).toBeLessThan(1.75)
    const deep = (size: number) => Array.from({ length: size }, (_, i) => `${' '.repeat(i % 300)}- ${unit}`).join('\n')
    expect(await growthOf((size) => findPatterns(deep(size)), 50)).toBeLessThan(1.75)
  })
})
