import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { checkCitations, findCitations } from './citations.ts'

function problemOf(statement: string, passage: string): string | null | undefined {
  const answer = `${statement} [1].`
  return checkCitations(answer, findCitations(answer), () => passage)[0]
}

const backup = 'The backup starts at 02:30 and takes 40 minutes.'

describe('what a passage does not contain', () => {
  it.each<[statement: string, passage: string, missing: string]>([
    ['It starts at 05:45', backup, '05:45'],
    ['It starts at 02:30 pm', backup, '02:30 pm'],
    ['It starts at 2:30:15', backup, '2:30:15'],
    ['It opens at 8am', 'It opens at 8 pm.', '8am'],
    ['It opens at 8 a.m.', 'It opens at 9:00.', '8 a.m.'],
    ['It closes at 5.45 pm', 'It closes at 5.30 pm.', '5.45 pm'],
    ['It closes at 17:00', 'There are 5 clerks.', '17:00'],
    ['It closes at 14h30', 'It closes at 14h15.', '14h30'],
    ['It closes at 14h', 'It closes at 15 h.', '14'],
    ['The contract ends on 2025-03-04', backup, '2025-03-04'],
    ['The contract ends on 2025-03-04', 'It ends on May 4, 2025.', '2025-03-04'],
    ['The contract ends on 2025-03-04', 'It ends in March 2025 after 4 years.', '2025-03-04'],
    ['The contract ends on 4.3.2025', 'It ends on 2025-04-03.', '4.3.2025'],
    ['The contract ends on 3/4/2025', 'It ends on 2025-03-05.', '3/4/2025'],
    ['It was made in 2025-03', 'It was made in April 2025.', '2025-03'],
    ['It was made on 2025-03-04T10:00', 'It was made on 2025-03-04 at 11:00.', '2025-03-04T10:00'],
    ['It takes 50-90 minutes', backup, '50-90'],
    ['It takes 40–90 minutes', backup, '40–90'],
    ['It takes 40~90 minutes', backup, '40~90'],
    ['It took place in 2024-25', 'It took place in 2024 and 2026.', '2024-25'],
    ['The ratio is 4:3', 'The ratio is 16:9.', '4:3'],
    ['It is -7 °C', 'It is 6 °C.', '-7'],
    ['It is −7 °C', 'It is 7 °C.', '−7'],
    ['Use port:9090', 'Use port 8080.', '9090'],
    ['Open localhost:9090', 'Open localhost:8080.', '9090'],
    ['It weighs 7kg', 'It weighs 5 kg.', '7'],
    ['It costs 7€', 'It costs 5 €.', '7'],
    ['It has 16GB', 'It has 8 GB.', '16'],
    ['It is the 12th day', 'It is the 11th day.', '12'],
    ['It is the 3rd day', 'It is the second day.', '3'],
    ['It is 12x faster', 'It is 10x faster.', '12'],
    ['It is 1920x1080', 'It is 1920x1200.', '1920x1080'],
    ['There are 1e9', 'There are 1e6.', '1e9'],
    ['There are 5k users', 'There are 4,000 users.', '5'],
    ['There are 5 million', 'There are 6,000,000.', '5'],
    ['Take ½ cup', 'Take 1/4 cup.', '½'],
    ['Take 1½ cups', 'Take 1¼ cups.', '1½'],
    ['它是２', '它是3', '２'],
    ['عددهم ٣', 'عددهم ٤', '٣'],
    ['会议在０５：４５开始', '会议在06:45开始', '０５：４５'],
    ['A 90-day trial', 'A 30-day trial', '90'],
    ['See RFC 9110', 'See RFC 7231.', '9110'],
    ['Version 4.5.6', 'Version 4.5.7', '4.5.6'],
    ['Der Vertrag endet am 4. März 2025', 'Er endet am 5. März 2025.', '4'],
    ['It opens at 8 a.m. on Fridays', 'It opens at 9 a.m.', '8 a.m.'],
    ['The ratio is 16:9', 'from 16 to 19', '16:9'],
    ['Call 030-901822', 'Call 030 901821', '030-901822'],
  ])('%j is not in %j', (statement, passage, missing) => {
    expect(problemOf(statement, passage)).toBe(`does not contain ${JSON.stringify(missing)}`)
  })
})

describe('what a passage contains in another notation, or a name', () => {
  it.each<[statement: string, ...passages: string[]]>([
    ['At 5:45', 'At 05:45', 'at 5.45', 'at 17:45', 'at 5:45 pm', 'At 05:45:10', 'um 5.45 Uhr', 'à 5h45'],
    ['At 05:45', 'At 5:45', 'at 5:45 a.m.', 'T05:45Z'],
    ['At 17:45', 'At 5:45 pm', 'at 5.45 p.m.', 'um 17.45 Uhr', 'à 17h45', '17:45-18:00'],
    ['At 5.45 pm', 'At 17:45', 'at 5:45 PM'],
    ['At 8am', 'At 08:00', 'at 8 a.m.', 'at 8:00', 'from 8 to 5', 'um 8 Uhr', "at 8 o'clock"],
    ['At 5 p.m.', 'At 17:00', 'um 17 Uhr', 'From 9 to 5', 'at 5pm'],
    ['Um 17 Uhr', 'At 5 pm', '17:00', '9-17 Uhr'],
    ['From 10:15–14:20', 'From 10:15 to 14:20', '10.15 - 14.20 Uhr', 'from 10:15 am to 2:20 pm'],
    ['At 14h', 'At 14:00', 'at 2 pm', '14 hours'],
    ['At 12 pm', 'at 12:00', 'at noon'],
    ['On 2025-03-04', 'On March 4, 2025', 'Mar 4 2025', '4 March 2025', 'the 4th of March, 2025', 'am 4.3.2025'],
    ['On 2025-03-04', 'am 04.03.2025', 'am 4. März 2025', '3/4/2025', '2025/03/04', '2025年3月4日', '4-Mar-2025'],
    ['On 2025-03-04', 'le 4 mars 2025', 'el 4 de marzo de 2025', '4 марта 2025', '2025-03-04T10:00Z', '04.03.25'],
    [
      'On 2025-03-04',
      'from 4 to 7 March 2025',
      'March 4–7, 2025',
      'March 2 to 4, 2025',
      'Dates of 2025: March 4, May 6',
    ],
    ['On 4.3.2025', '2025-03-04', 'March 4, 2025', 'am 4. März 2025'],
    ['On 3/4/2025', '2025-03-04', '3 April 2025'],
    ['On March 4, 2025', '2025-03-04', '04.03.2025', '3/4/2025'],
    ['In 2025-03', 'In March 2025', '2025-03-04', 'März 2025', '03/2025'],
    ['On 2025-03-04T10:00', 'on March 4, 2025 at 10 am'],
    ['It takes 50-90 minutes', '50–90 minutes', '50 to 90 minutes', '50 - 90 min', 'at least 50, at most 90'],
    ['It takes 50 to 90 minutes', '50-90 minutes', '50~90'],
    ['In 2024-25', 'in 2024/2025', '2024–25', '2024 and 2025'],
    ['The ratio is 4:3', '4 : 3', '4 to 3', '4:3'],
    ['The scale is 1:50', '1 : 50'],
    ['It is -7 °C', '−7 °C', '- 7 °C', 'minus 7 degrees', '7 degrees below zero', 'a loss of (7)'],
    ['Use port:9090', 'port 9090', 'localhost:9090'],
    ['Open 10.0.0.1:80', '10.0.0.1, port 80'],
    ['It weighs 7kg', '7 kg', '7\u00a0kg', 'seven kg', '7.0 kg'],
    ['It weighs 7 kg', '7kg'],
    ['It is the 3rd', 'the third', '3', '3.', 'the 3rd', 'three'],
    ['It is the 12th', '12', 'the twelfth', '12.'],
    ['It is the third', '3', 'the 3rd', 'nothing'],
    ['There are 1,000', '1000', '1 000', '1.000', '1’000', '1k'],
    ['There are 1 000', '1,000', '1000'],
    ['It is 30 %', '30%', '30 percent', '30 ％', 'thirty percent'],
    ['It is 30%', '30 %'],
    ['It is 1.5', '1,5', '1.50', '1½', '1 1/2', '１．５'],
    ['There are 5k users', '5,000 users', '5000', '5 thousand'],
    ['There are 5 million', '5,000,000', '5M', '5 Mio.'],
    ['There are 5,000,000', '5 million', '5m', '5 Millionen'],
    ['There are 1e9', '1,000,000,000', '1 billion', '1E9'],
    ['Take ½ cup', '1/2 cup', '0.5 cup', '½ cup', 'half a cup', '0,5'],
    ['Take 1 1/2 cups', '1½ cups', '1.5 cups'],
    ['Take 3/4 cup', '¾ cup', '0.75 cup'],
    ['它是２', '它是2'],
    ['عددهم ٣', 'they are 3'],
    ['Steps 1,2,3', 'Steps 1, 2 and 3'],
    ['A 2-factor login', 'A two-factor login'],
    ['The 3D view uses 2FA', 'The 3-D view uses two factors'],
    ['Call 030-901821', 'Call 030 901821'],
    ['C4, M77, H2O, sha256, v2, v1.2.3, x86-64 and UTF-8', 'names'],
    ['GPT-5, gpt-4o-mini, Llama-3.1-8B, COVID-19, B-52, ISO-8859-1, K-12', 'names'],
    ['使用GPT-5和H2O, Ту-154, ａ4', 'names'],
    ['0x1f, 3f2a9c, 123e4567-e89b-12d3-a456-426614174000 #1f2937 and 2405.00801v2', 'names'],
    ['snake_case_5 and mid-2024', 'names'],
  ])('%j', (statement, ...passages) => {
    expect(passages.map((passage) => [passage, problemOf(statement, passage)])).toEqual(
      passages.map((passage) => [passage, null]),
    )
  })
})

it.each(['7-', '7:', '7/', '1 000 ', '7.', '7e7', 'a-', 'a1-', '1½ ', '٣', '7 pm ', '4 March ', 'May 4 to ', '2025-'])(
  'takes linear time for many %j',
  { tags: 'growth' },
  async (unit) => {
    const check = (size: number) => problemOf(unit.repeat(2000 / unit.length), `${unit.repeat(size)} x`)
    expect(await growthOf(check, 2000)).toBeLessThan(1.75)
  },
)
