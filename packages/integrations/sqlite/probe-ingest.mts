// @ts-nocheck
import { IngestionPipeline } from '@x/retrieval'
import { Document } from '@x/core-model'
import { SimpleDocumentStore } from '@x/storage'
import { fromContent, MarkdownElementNodeParser, MarkdownNodeParser } from '@x/node-parser'
import { ScriptedLLM } from '@x/core-model/testing'
const store = new SimpleDocumentStore()
const idx = { ids: new Map(), add(ns) { for (const n of ns) this.ids.set(n.id, n) }, remove(i) { for (const x of i) this.ids.delete(x) }, has(i) { return this.ids.has(i) } }
const p = new IngestionPipeline({ transformations: [new MarkdownNodeParser({ idFunc: fromContent() })], store, indexes: [idx] })
const doc = (t, id = 'd') => new Document({ id, text: t })
const st = async () => [idx.ids.size, (await store.getRefDocInfo('d'))?.nodeIds.length]
for (const t of ['', '', 'a', '', '   \n', '# only heading', '| a | b |\n|---|---|\n| 1 | 2 |', 'same\n\nsame\n\n# h\n\nsame', '']) console.log(JSON.stringify(t), await p.ingest(doc(t)), ...(await st()))
console.log('dups', await Promise.all([p.ingest(doc('# A\n\nx')), p.ingest(doc('# A\n\nx'))]), ...(await st()))
console.log('race', await Promise.all([p.ingest(doc('# A\n\none')), p.ingest(doc('# B\n\ntwo'))]), ...(await st()), [...idx.ids.values()].map((n) => n.text), await p.ingest(doc('# B\n\ntwo')), ...(await st()))
// crash at each durable part, before and after
for (const at of ['known', 'table', 'store']) for (const when of ['before', 'after']) {
  const s = new SimpleDocumentStore(); const i2 = { ...idx, ids: new Map() }
  let calls = 0
  const llm = new ScriptedLLM({ answers: Array.from({ length: 9 }, () => { calls++; return JSON.stringify({ summary: 's', columns: [] }) }) })
  const q = new IngestionPipeline({ transformations: [new MarkdownElementNodeParser({ llm, idFunc: fromContent() })], store: s, indexes: [i2] })
  const saved = new Map(); let crash = true
  const durable = async (name, fn) => { if (saved.has(name)) return saved.get(name); if (crash && name.startsWith(at) && when === 'before') { crash = false; throw new Error('crash') } const v = await fn(); if (crash && name.startsWith(at)) { crash = false; throw new Error('crash') } saved.set(name, JSON.parse(JSON.stringify(v))); return v }
  const d = doc('# T\n\n| fruit | price |\n|---|---|\n| apple | 2 |\n| pear | 3 |\n\nend')
  let first; try { first = await q.ingest(d, { durable }) } catch (e) { first = e.message }
  console.log(at, when, first, await q.ingest(d, { durable }), i2.ids.size, (await s.getRefDocInfo('d'))?.nodeIds.length, 'calls', llm.calls.length, await q.ingest(d))
}
