import { TextNode } from '@x/core-model'
import { readBlocks } from '@x/node-parser'
import { Bm25Retriever } from '@x/retrieval'
import { describe, expect, it } from 'vitest'
import { evaluateAgent } from '../agents/evaluate-agent.ts'
import { evaluateAnswers } from '../answers/evaluate-answers.ts'
import { evaluateRetriever } from '../evaluate-retriever.ts'
import type { TestQuestion } from '../test-set.ts'
import { differencesPicture } from './pictures.ts'
import { reportHtml } from './report-html.ts'
import { reportMarkdown } from './report-markdown.ts'

const hostile = `<script>alert()</script> & "a" 'b' | c\n\`d\` *e* \u0007 ${'x'.repeat(60)}`
const nodes = ['Pears are green.', 'Wine is red.', hostile].map(
  (text, i) => new TextNode({ id: `${i}`, text, metadata: { file: `${i}.md` } }),
)
const testSet: TestQuestion[] = [
  { id: 'a', question: 'Which pear?', places: [{ source: '0.md' }] },
  { id: 'b', question: hostile, places: [{ source: '1.md' }, { source: hostile }] },
  { id: 'c', question: 'none', places: [] },
]
const runOf = (name: string, from = 0) =>
  evaluateRetriever({ retriever: new Bm25Retriever({ nodes: nodes.slice(from) }), testSet, nodes, name })

describe('reportMarkdown', () => {
  it('shows the measures, the comparison and the misses with their reasons', async () => {
    const report = reportMarkdown([await runOf('without pears', 1), await runOf('all')], { title: 'Docs' })
    expect(report).toContain(
      '# Docs\n\n| run | nDCG@10 | recall@10 | MRR@10 |\n|---|---|---|---|\n| without pears | 0.000 (0.000 to 0.000)',
    )
    expect(report).toContain('| all | 0.500 (0.000 to 1.000) |')
    expect(report).toContain('2 questions with an answer, 1 without.')
    expect(report).toMatch(
      /\nall against without pears: nDCG@10 \+0\.500 .* 1 questions better, 0 worse, 1 equal: not shown to be different\.\n/,
    )
    expect(report).toContain('- no term in common: 1')
    expect(report).toContain('- no node contains the place: 1')
  })

  it('keeps the form of the table whatever questions contain', async () => {
    const blocks = Array.from(readBlocks(reportMarkdown(await runOf('all'))))
    const rows = blocks.filter(({ kind }) => kind === 'table')
    expect(rows).toHaveLength(2)
    const report = reportMarkdown(await runOf('all'))
    expect(report).not.toMatch(/(?<!\\)<script/)
    expect(report.split('\n').filter((line) => line.includes('alert'))).toHaveLength(2)
    expect(
      report
        .split('\n')
        .filter((line) => /^\|/.test(line))
        .map((line) => line.match(/(?<!\\)\|/g)?.length),
    ).toEqual([5, 5, 5, 4, 4, 4, 4])
  })

  it('lists at most the given number of misses', async () => {
    const report = reportMarkdown(await runOf('all'), { maxMisses: 1 })
    expect(report).toContain('… and 1 more.')
  })

  it('refuses no run at all, and unknown options', async () => {
    expect(() => reportMarkdown([])).toThrow(expect.objectContaining({ code: 'configuration' }))
    expect(() => reportHtml([], { titel: 'a' } as never)).toThrow(/reportHtml\.titel/)
  })
})

describe('a report of answers and of an agent', () => {
  const answers = async () =>
    evaluateAnswers({
      testSet,
      name: hostile,
      answer: async (question) => ({
        text: `Pears. ${hostile}`,
        citations: [{ source: '0.md' }, { source: hostile }],
        passages: [{ source: '0.md', text: 'Pears are green.' }],
        isRefusal: question === 'none',
      }),
      llm: { metadata: {}, chat: async () => '1: yes\n2: no' } as never,
    })
  const agent = async () => {
    const cases = [
      { id: 'a', question: hostile },
      { id: 'b', question: 'fail' },
    ]
    const first = await evaluateAgent({ cases, run: async () => 'one' })
    const recorded = first.results.map(({ id, question, trace }) => ({ id, question, recorded: trace }))
    return evaluateAgent({
      cases: recorded,
      run: async (question) => {
        if (question === 'fail') throw new Error(hostile)
        return 'two'
      },
    })
  }

  it('shows measures, refusals and faults of answers', async () => {
    const report = reportMarkdown(await answers(), { title: 'Answers' })
    expect(report).toContain('# Answers\n')
    expect(report).toContain('1 of 1 that the texts do not answer were refused, and 0 of the others.')
    expect(report).toContain('| citations that are right | ')
    expect(report).toMatch(/\| Which pear\? \| not supported \| /)
    expect(report).toMatch(/\| Which pear\? \| cites what it did not receive \| /)
    expect(report).not.toContain('| none |')
    const invented = await evaluateAnswers({
      testSet,
      answer: async () => ({ text: 'Yes.', citations: [], passages: [] }),
    })
    expect(reportMarkdown(invented)).toContain('| none | answered, though the texts do not | Yes. |')
    expect(reportMarkdown(await answers(), { maxMisses: 2 })).toContain('The first 2 of ')
  })

  it('shows outcomes, cost and differences of an agent', async () => {
    const report = reportMarkdown(await agent())
    expect(report).toContain('2 cases: 1 different, 1 failed.')
    expect(report).toContain('| calls of models | 0 | 0 |')
    expect(report).toContain('| answer | one | two |')
    expect(report).toContain('| failed | an answer | Error: ')
  })

  it('escapes every string, and has pictures', async () => {
    for (const page of [reportHtml(await answers()), reportHtml(await agent(), { title: hostile })]) {
      expect(page).not.toContain('<script')
      expect(page).toContain('<svg ')
      expect(page.replaceAll(/<[a-z!/](?:[^<>"]|"[^"<>]*")*>/gi, '')).not.toMatch(/[<>]/)
    }
    expect(() => reportHtml({ outcomes: {}, results: [] } as never, { most: 1 } as never)).toThrow(/reportHtml\.most/)
  })
})

describe('reportHtml', () => {
  it('draws the differences of very many questions', () => {
    const picture = differencesPicture([-0.5, ...new Array<number>(200_000).fill(0.25)], 'Differences')
    expect(picture).toContain('+0.50: better')
  })

  it('escapes every string and contains no script', async () => {
    const page = reportHtml([await runOf(hostile), await runOf(`${hostile} 2`)], { title: hostile })
    expect(page).not.toContain('<script')
    expect(page).not.toContain('\u0007')
    expect(page.match(/&lt;script&gt;/g)!.length).toBeGreaterThan(5)
    // Every attribute is closed, and no tag but ours exists.
    const tags = new Set(Array.from(page.matchAll(/<\/?([a-z0-9]+)/gi), ([, name]) => name))
    expect([...tags].sort()).toEqual([
      'body',
      'circle',
      'div',
      'g',
      'h1',
      'h2',
      'head',
      'html',
      'line',
      'meta',
      'p',
      'rect',
      'style',
      'svg',
      'table',
      'td',
      'text',
      'th',
      'title',
      'tr',
    ])
    expect(page.replaceAll(/<[a-z!/](?:[^<>"]|"[^"<>]*")*>/gi, '')).not.toMatch(/[<>]/)
  })

  it('has one bar per question that changed', async () => {
    const page = reportHtml([await runOf('without pears', 1), await runOf('all')])
    expect(page.match(/<rect class="good"/g)).toHaveLength(1)
    expect(page).toContain('aria-label="nDCG@10 of all minus without pears"')
  })
})
