/**
 * Writes the report about the documentation of this repository as Markdown and HTML.
 *
 * @example npm run evaluate-docs
 * @example npm run evaluate-docs -- reports/
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { reportHtml, reportMarkdown } from '@x/evaluate'
import { evaluateDocs } from './evaluate-docs.ts'

const folder = resolve(process.env['INIT_CWD'] ?? '.', process.argv[2] ?? '.reports/documentation')
const runs = await evaluateDocs()
const title = 'Questions about the documentation'
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'report.md'), reportMarkdown(runs, { title }))
writeFileSync(join(folder, 'report.html'), reportHtml(runs, { title }))
console.log(reportMarkdown(runs, { title }))
console.log(`Written to ${join(folder, 'report.md')} and report.html.`)
