import { describe, expect, it } from 'vitest'
import { someOf } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { readTable } from './choice-forms.ts'
import { readChoices } from './parse-choices.ts'

/** The same choice with relevances in words. */
const inWords = [
  'Doc: 3 (high)\nDoc: 1 (medium)\nDoc: 2 (low)',
  'Doc: 3, Relevance: high\nDoc: 1, Relevance: medium\nDoc: 2, Relevance: low',
  '1. Doc 3: High\n2. Doc 1: Medium\n3. Doc 2: Low',
  'Doc 3 (high), Doc 1 (moderate), Doc 2 (low)',
  '- **Doc 3** – Relevance: **High**\n- **Doc 1** – Relevance: **Medium**\n- **Doc 2** – Relevance: **Low**',
  'Document: 3\nRelevance: high\nDocument: 1\nRelevance: medium\nDocument: 2\nRelevance: low',
  '[{"doc": 3, "relevance": "high"},\n{"doc": 1, "relevance": "medium"},\n{"doc": 2, "relevance": "low"}]',
  '| Doc | Relevance |\n|---|---|\n| 3 | high |\n| 1 | medium |\n| 2 | low |',
]

/** Answers of models to a list of five documents: each chooses document 3 with relevance 9, then document 1 with relevance 4. */
const two = [
  'Doc: 3, Relevance: 9\nDoc: 1, Relevance: 4',
  'Doc: 3; Relevance: 9\nDoc: 1; Relevance: 4',
  'Doc: 3, Relevance: 9\ndoc:1,rel:4',
  'Number: 3, Rank: 9\nDoc: 1, Relevance: 4',
  'Doc 3, Relevance: 9\nDoc 1, Relevance: 4',
  'Doc 3 Relevance 9\nDoc 1 Relevance 4',
  'Doc: 3 Relevance: 9\nDoc: 1 Relevance: 4',
  'Doc: 3 - Relevance: 9\nDoc: 1 - Relevance: 4',
  'Doc: 3 | Relevance: 9\nDoc: 1 | Relevance: 4',
  'Doc #3: Relevance 9\nDoc #1: Relevance 4',
  'Document 3 (Relevance: 9)\nDocument 1 (Relevance: 4)',
  'Document 3: 9\nDocument 1: 4',
  'Document 3: 9/10\nDocument 1: 4/10',
  'Doc 3 - 9/10 - it says so\nDoc 1 - 4/10 - a little',
  'Doc 3 (9)\nDoc 1 (4)',
  'Doc 3 → 9\nDoc 1 → 4',
  '1. Doc 3: 9\n2. Doc 1: 4',
  '- **Doc 3**: 9\n- **Doc 1**: 4',
  '- **Document 3** – Relevance: **9/10**\n- **Document 1** – Relevance: **4/10**',
  '### Document 3\nRelevance: 9\n\n### Document 1\nRelevance: 4',
  'Doc: 3\nRelevance: 9\nDoc: 1\nRelevance: 4',
  'Document: 3\nRelevance score: 9\nReason: it has 2 facts\n\nDocument: 1\nRelevance score: 4\nReason: 1 fact',
  'Doc: 3, Reason: it has 2 facts, Relevance: 9\nDoc: 1, Reason: 1 fact, Relevance: 4',
  'Doc: 3, Relevance: 9, Doc: 1, Relevance: 4',
  'Doc: 3, Relevance: 9; Doc: 1, Relevance: 4',
  'Doc 3: 9, Doc 1: 4',
  'Doc 3: 9; Doc 1: 4.',
  'Doc：3，Relevance：9\nDoc：1，Relevance：4',
  'Doc: ３, Relevance: ９\nDoc: １, Relevance: ４',
  '文档：3，相关性：9\n文档：1，相关性：4',
  '文档3：9\n文档1：4',
  'ドキュメント：3、関連度：9\nドキュメント：1、関連度：4',
  'Dokument: 3, Relevanz: 9\nDokument: 1, Relevanz: 4',
  'Document : 3, Pertinence : 9\nDocument : 1, Pertinence : 4',
  '[{"doc": 3, "relevance": 9}, {"doc": 1, "relevance": 4}]',
  '{"doc": 3, "relevance": 9}\n{"doc": 1, "relevance": 4}',
  '```json\n[\n  {\n    "document": 3,\n    "relevance": 9\n  },\n  {\n    "document": 1,\n    "relevance": 4\n  }\n]\n```',
  '{"results": [{"index": 3, "relevance_score": 9.0}, {"index": 1, "relevance_score": 4.0}]}',
  '[{"relevance": 9, "doc": 3}, {"relevance": 4, "doc": 1}]',
  "[{'doc_id': '3', 'score': '9'}, {'doc_id': '1', 'score': '4'},]",
  '{"documents": [{"id": 3, "score": 9, "reason": "it has 2 facts"}, {"id": 1, "score": 4',
  '{"3": 9, "1": 4}',
  '[[3, 9], [1, 4]]',
  '[(3, 9), (1, 4)]',
  '| Doc | Relevance |\n|---|---|\n| 3 | 9 |\n| 1 | 4 |',
  '| Rank | Document | Relevance |\n| --- | :-: | --- |\n| 1 | 3 | 9/10 |\n| 2 | 1 | 4/10 |',
  '| Relevance | Doc |\n|---|---|\n| 9 | Doc 3 |\n| 4 | Doc 1 |',
  'Document | Score | Why\n--- | --- | ---\n3 | 9 | 2 facts\n1 | 4 | none',
  '| 3 | 9 |\n| 1 | 4 |',
  'doc,relevance\n3,9\n1,4',
  '3, 9\n1, 4',
  '3: 9\n1: 4',
  '3: 9, 1: 4',
  '3=9; 1=4',
  '[3] (9/10)\n[1] (4/10)',
  '[3]: 9\n[1]: 4',
  '#3: 9/10\n#1: 4/10',
  '3 - 9\n1 - 4',
  '(3) 9\n(1) 4',
  '- 3: 9\n- 1: 4',
  '1. 3: 9\n2. 1: 4',
  '3\t9\n1\t4',
  '<think>Doc: 2, Relevance: 10? No: 2 is off.</think>\nDoc: 3, Relevance: 9\nDoc: 1, Relevance: 4',
  'Let me see. Doc: 2, Relevance: 10.</think>Doc: 3, Relevance: 9\nDoc: 1, Relevance: 4',
  '[THINK]Doc: 2[/THINK]Doc: 3, Relevance: 9\nDoc: 1, Relevance: 4',
  '<|channel|>analysis<|message|>Doc: 2, Relevance: 1<|channel|>final<|message|>Doc: 3, Relevance: 9\nDoc: 1, Relevance: 4',
  'Here are the relevant documents:\n\nDoc: 3, Relevance: 9\nDoc: 1, Relevance: 4\n\nThe other 3 documents are not relevant.',
  'Passage 3: score 9\nPassage 1: score 4',
  'Doc: 3, Relevance: 9 (of 10)\r\nDoc: 1, Relevance: 4 (of 10)\r\n',
  'Doc_3: 9\nDoc_1: 4',
  '{"doc": 3, "title": "Item 7", "relevance": 9}\n{"doc": 1, "text": "5 apples", "relevance": 4}',
  '[{"document": 3, "confidence": 0.8, "relevance": 9}, {"document": 1, "confidence": 0.3, "relevance": 4}]',
  'Item 2 is off.\n```json\n{"relevant_documents": [3, 1], "scores": [9, 4]}\n```',
  '{"ranking": [{"document": {"id": 3, "text": "2 facts"}, "score": "9/10"}, {"document": {"id": 1}, "score": 4}]}',
  '| Doc | Title | Relevance |\n|---|---|---|\n| 3 | a \\| 5 | 9 |\n| 1 | b \\| 7 | 4 |',
  '3 (9), 1 (4)',
  '[3] (9/10), [1] (4/10)',
  'Doc\u200b: 3, Relevance: 9\nDoc: 1, Relevance: 4',
]

describe('readChoices', () => {
  it('is tested with at least 50 different forms', () => {
    expect(new Set(two).size).toBeGreaterThanOrEqual(50)
  })

  it.each(two)('reads %j', (answer) => {
    expect(readChoices(answer, 5)).toEqual({ choices: [3, 1], relevances: [9, 4], unreadable: false })
  })

  it.each(inWords)('reads relevances in words: %j', (answer) => {
    expect(readChoices(answer, 5)).toEqual({ choices: [3, 1, 2], relevances: [9, 5, 2], unreadable: false })
  })

  it.each<[string, [number, number][]]>([
    ['Doc: 2 (very high)', [[2, 10]]],
    ['Doc: 2 (high), Relevance: 7', [[2, 7]]],
    ['Doc: 2, Relevance: high (8/10)', [[2, 8]]],
    ['Doc: 1, Relevance: 9\nDoc: 2 (low)', [[1, 9]]],
    ['Doc: 3, Relevance: -1', [[3, -1]]],
    ['Doc: 3, Relevance: −1.5', [[3, -1.5]]],
    [
      'Doc 3: -2\nDoc 1: +4',
      [
        [3, -2],
        [1, 4],
      ],
    ],
    ['[{"doc": 3, "relevance": -0.25}]', [[3, -0.25]]],
    [
      '3: -2, 1: 4',
      [
        [3, -2],
        [1, 4],
      ],
    ],
    [
      '[3, -2]\n[1, 4]',
      [
        [3, -2],
        [1, 4],
      ],
    ],
    [
      '| Doc | Relevance |\n|---|---|\n| 3 | -2 |\n| 1 | 4,5 |',
      [
        [3, -2],
        [1, 4.5],
      ],
    ],
    ['Doc: 3 - Relevance - 9', [[3, 9]]],
    ['Doc 3 - 9', [[3, 9]]],
    [
      'Doc: 3, Relevance: 9,5\nDoc: 1, Relevance: 0,25',
      [
        [3, 9.5],
        [1, 0.25],
      ],
    ],
    [
      'Doc 3: 9,5; Doc 1: 4,5',
      [
        [3, 9.5],
        [1, 4.5],
      ],
    ],
    [
      'Dokument 3 (9,5)\nDokument 1 (4)',
      [
        [3, 9.5],
        [1, 4],
      ],
    ],
    [
      '3: 9,5\n1: 4',
      [
        [3, 9.5],
        [1, 4],
      ],
    ],
    [
      '3;9,5\n1;4,25',
      [
        [3, 9.5],
        [1, 4.25],
      ],
    ],
    [
      '3:9,1:4',
      [
        [3, 9],
        [1, 4],
      ],
    ],
    [
      '[[3,9],[1,4]]',
      [
        [3, 9],
        [1, 4],
      ],
    ],
    [
      'doc,relevance\n3,9\n1,4',
      [
        [3, 9],
        [1, 4],
      ],
    ],
    [
      '{"doc":3,"relevance":9,"id":1,"score":4}',
      [
        [3, 9],
        [1, 4],
      ],
    ],
    [
      'Doc: 3, Relevance: 1e3\nDoc: 1, Relevance: 2.5E-1',
      [
        [3, 1000],
        [1, 0.25],
      ],
    ],
    ['Doc: 3, Relevance: .5', [[3, 0.5]]],
    ['Doc: 3, Relevance: 1e999', []],
    [
      'Doc: 1-3, Relevance: 5',
      [
        [1, 5],
        [2, 5],
        [3, 5],
      ],
    ],
    [
      'Docs 2–3: 8\nDoc 1: 4',
      [
        [2, 8],
        [3, 8],
        [1, 4],
      ],
    ],
    [
      'Documents 1 to 2 (Relevance: 7)',
      [
        [1, 7],
        [2, 7],
      ],
    ],
    [
      '| Doc | Relevance |\n|---|---|\n| 1-2 | 7 |\n| 4 | 3-5 |',
      [
        [1, 7],
        [2, 7],
        [4, 3],
      ],
    ],
    [
      '{"doc": "1-2", "relevance": 7}',
      [
        [1, 7],
        [2, 7],
      ],
    ],
    [
      '1-3: 9',
      [
        [1, 9],
        [2, 9],
        [3, 9],
      ],
    ],
    [
      '[1-2]: 9\n[4]: 2',
      [
        [1, 9],
        [2, 9],
        [4, 2],
      ],
    ],
    [
      'Doc: 4-999999999, Relevance: 2',
      [
        [4, 2],
        [5, 2],
      ],
    ],
    ...[
      'Doc: 1, 3, Relevance: 7',
      'Doc: 1,3; Relevance: 7',
      'Doc: 1 and 3, Relevance: 7',
      'Docs 1 & 3 (relevance 7)',
      'Documents: [1, 3] - Relevance: 7',
      '**Docs: 1 and 3**, **Relevance: 7/10**',
      'Dokumente 1 und 3: 7',
      'Docs 1, 3: 7/10',
      'Documents: #1, #3\nRelevance: 7',
      '文档：1、3，相关性：7',
    ].map((answer): [string, [number, number][]] => [
      answer,
      [
        [1, 7],
        [3, 7],
      ],
    ]),
    [
      'Doc: 1, 2-3 and 5, Relevance: 7\nDoc: 4, Relevance: 2',
      [
        [1, 7],
        [2, 7],
        [3, 7],
        [5, 7],
        [4, 2],
      ],
    ],
    [
      'Doc: 1, 2 facts, Relevance: 7\nDoc: 3, 2024, 5 facts, Relevance: 2',
      [
        [1, 7],
        [3, 2],
      ],
    ],
    ['Doc 1 - 7', [[1, 7]]],
    [
      'Doc: 3-99999999999, Relevance: 7',
      [
        [3, 7],
        [4, 7],
        [5, 7],
      ],
    ],
    [
      'Doc: 4-999999999999999999999999, Relevance: 7',
      [
        [4, 7],
        [5, 7],
      ],
    ],
    ['Doc: 3-1, Relevance: 2', []],
    ['| Doc | Grade |\n|---|---|\n| 3 | 9 |', [[3, 9]]],
    ['| Text | Relevance |\n|---|---|\n| 3 | 9 |', [[3, 9]]],
    ['3 of 5 are relevant:\n\n| Doc | Relevance |\n|---|---|\n| 3 | 9 |\n\n2, 1: no', [[3, 9]]],
    [
      'Doc: 1, Relevance: 4\nDoc 3: 9, relevance: 7',
      [
        [1, 4],
        [3, 9],
      ],
    ],
    ['Doc: 1-3', []],
    ['Doc: 3, Relevance: 7-8', [[3, 7]]],
  ])('reads signs, ranges and decimals in %j', (answer, pairs) => {
    const { choices, relevances } = readChoices(answer, 5)
    expect(choices.map((choice, index) => [choice, relevances[index]])).toEqual(pairs)
  })

  it.each([
    '[3, 1]',
    '```json\n[3, 1]\n```',
    '{"documents": [3, 1]}',
    '{"reason": "Item 2 is off.", "documents": [3, 1]}',
    '["3", "1"]',
    '["Doc 3", "Doc 1"]',
    '[3] > [1]',
    '3 > 1',
    'Rank 1: Doc 3\nRank 2: Doc 1',
    'The ranking:\n\n**Rank 1**: **Document 3**\n**Rank 2**: **Document 1**',
    '2. Doc 1\n1. Doc: 3',
    '1) [3]\n2) [1]',
  ])('parses %j as a ranking without relevances', (answer) => {
    expect(readChoices(answer, 5)).toEqual({ choices: [3, 1], relevances: [1, 1], unreadable: false })
  })

  it('parses a ranking and a table of one document', () => {
    expect(readChoices('Rank 1: Doc 3', 5).choices).toEqual([3])
    expect(readTable('| Doc | Relevance |\n|---|---|\n| 3 | 9 |')).toHaveLength(1)
    expect(readTable('| Doc | Relevance |\n|---|---|\n| none | |')).toBe(undefined)
  })

  it.each([
    'I think document 3 has what you need.',
    'The answer is 42.',
    'Since 2019, 3 of 5 documents mention it.',
    'I cannot help with that.',
    'Doc: 3, Relevance: sure',
    'Doc: 3, Relevance: sure, Relevance: 9',
    '12:30',
    'Rank 1: Doc 3 of 5',
    'Doc 3\nDoc 1',
  ])('finds no choice in %j', (answer) => {
    expect(readChoices(answer, 5).choices).toEqual([])
  })

  it('reads JSON of any depth', () => {
    const deep = `${'['.repeat(50_000)}{"doc": 3, "relevance": 9}${']'.repeat(50_000)}`
    expect(readChoices(deep, 5)).toEqual({ choices: [3], relevances: [9], unreadable: false })
  })

  it.each(
    someOf(
      [
        'Doc ',
        'Doc: 1 (high) ',
        'high ',
        'Relevance ',
        'Doc: 1 ',
        '| 1 ',
        '1: 2, ',
        '[1, ',
        '1 > ',
        '(1',
        '- ',
        '* ',
        '<think>',
        'no a ',
        '"',
        '1 ',
        '[{',
        '{"doc":1}',
        '"\\',
      ],
      6,
    ),
  )('takes linear time on many %j', { tags: 'growth' }, async (unit) => {
    for (const start of ['', '['])
      expect(await growthOf((size) => readChoices(start + unit.repeat(size), 5), 5000)).toBeLessThan(1.75)
  })
})
