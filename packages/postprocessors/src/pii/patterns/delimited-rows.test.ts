import { describe, expect, it } from 'vitest'
import { someOf } from '../../../../../tools/extent.ts'
import { growthOf } from '../../../../../tools/growth.ts'
import { findPatterns, type PatternRecognizer } from '../find-patterns.ts'
import { birthDates } from './birth-dates.ts'
import { credentials } from './credentials.ts'
import { delimitedRows } from './delimited-rows.ts'
import { labelledText } from './labelled-text.ts'

const words = (text: string, find: PatternRecognizer = findPatterns) =>
  find(text).map(({ word, start, end }) => (text.slice(start!, end!) === word ? word : 'another place'))
const rowsOf = (text: string) =>
  (labelledText(text, delimitedRows(text))?.text ?? '').replace(/\n+$/, '').split(/\n{12,}/)

describe('delimitedRows', () => {
  it.each([
    ['commas', 'name,phone,city\nAnn,1,Bonn\nBob,,Ulm', ['name: Ann\nphone: 1\ncity: Bonn', 'name: Bob\ncity: Ulm']],
    ['semicolons', 'name;phone\r\nAnn;1,5\r\n\r\nno;table;here', ['name: Ann\nphone: 1,5']],
    ['tabs', 'name\tphone\nAnn\t1\nBob\t2', ['name: Ann\nphone: 1', 'name: Bob\nphone: 2']],
    [
      'quotes',
      '"name","phone"\n"Lee, ""B"" Ann","1"\n"a\nb",2',
      ['name: Lee, ""B"" Ann\nphone: 1', 'name: a\nb\nphone: 2'],
    ],
    [
      'aligned columns',
      'NAME    PHONE  N\nAnn L   1      2\nBob            3',
      ['NAME: Ann L\nPHONE: 1\nN: 2', 'NAME: Bob\nN: 3'],
    ],
    [
      'numbers to the right',
      'name      phone    city\n----  ---------  ------\nAnn           1    Bonn',
      ['name: Ann\nphone: 1\ncity: Bonn'],
    ],
    ['pipes and rules', ' name | phone\n------+-------\n Ann  | 1\n(1 row)', ['name: Ann\nphone: 1']],
    ['a frame', '+----+---+\n| name | n |\n+====+===+\n| Ann | 1 |\n+----+---+', ['name: Ann\nn: 1']],
    ['signs of a frame', '┌──┬──┐\n│ name │ n │\n├──┼──┤\n│ Ann │ 1 │\n└──┴──┘', ['name: Ann\nn: 1']],
    ['a line above', 'Staff, here:\nname,phone,city\nAnn,1,Bonn', ['name: Ann\nphone: 1\ncity: Bonn']],
  ])('reads a table with %s', (_, text, rows) => {
    expect(rowsOf(text)).toEqual(rows)
  })

  it.each([
    'Ann, Bob and I went home.',
    'Dear Ann,\nthanks, Bob.',
    'We sold 12345, and more\n1,2',
    '| a | phone |\n|---|---|\n| 1 | 2 |',
    '1,2,3\n4,5,6',
    'a  b',
    '# Heading\n\n- item',
  ])('finds no table in %j', (text) => {
    expect(rowsOf(text)).toEqual([''])
  })
})

describe('the header of a column in plain text', () => {
  it.each([
    ['name,phone\nAnn,030 901820\n"Lee, Bob","030 901821"', ['030 901820', '030 901821']],
    ['Name;Telefon (Büro);Ort\nAnn;030/901820;Bonn', ['030/901820']],
    ['name\tmobile phone\nAnn\t030 901820', ['030 901820']],
    [
      'NAME       PHONE        CITY\nAnn Lee    030 901820   Bonn\nBob        030 901821   Ulm',
      ['030 901820', '030 901821'],
    ],
    ['```\n name | phone\n------+------------\n Ann  | 030 901820\n```', ['030 901820']],
    [
      '+------+------------+\n| name | phone |\n+------+------------+\n| Ann | 030 901820 |\n+------+----+',
      ['030 901820'],
    ],
    ['field,value\nPhone,030 901820', ['030 901820']],
    ['id,phone numbers\n1,"030 901820, 030 901821"', ['030 901820', '030 901821']],
  ])('is a label of its cells: %j', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  it('is a label for other kinds too', () => {
    const find = findPatterns({ kinds: [credentials, birthDates] })
    expect(words('user,password,born\nann,hunter!2,1.2.1990', find)).toEqual(['hunter!2', '1.2.1990'])
  })

  it.each([
    'month,mobile,phones\nMay,120000,34567',
    'order number;version\n4111111111111111;1.2.3.4',
    'ORDER ID             VERSION\n4111111111111111     1.2.3.4',
    'phone model\tprice\n12345\t54321',
    'a,phone,b\n901820901,x,y',
  ])('says that numbers are something else: %j', (text) => {
    expect(words(text)).toEqual([])
  })

  it.each(
    someOf(
      ['name,phone\n', 'name,phone\nAnn,030 901820\n', '"', '"a,\n', 'a,b\n', 'a  b\n', ',', '\t', ' | ', '+-+\n', '│'],
      4,
    ),
  )('takes linear time on many %j', { tags: 'growth' }, async (unit) => {
    const table = (size: number) => `a,phone\n${unit.repeat(size)}`
    expect(await growthOf((size) => findPatterns(table(size)), 500)).toBeLessThan(1.75)
    const wide = (size: number) => `${'phone,'.repeat(size)}x\n${unit.repeat(size)}`
    expect(await growthOf((size) => findPatterns(wide(size)), 500)).toBeLessThan(1.75)
  })
})
