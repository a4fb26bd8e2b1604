/**
 * @module
 * Serves the page of a folder to browsers on this machine.
 */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { jsonOr } from '@x/core/values'
import { requestText } from '@x/durable'
import type { Docs } from '../docs.ts'
import { type HttpHandler, type ServedHttp, serveRequests } from '../serve-http.ts'
import { pageScript } from './page-files.ts'
import { pageHtml } from './page-html.ts'

/** Answers a question of the page: writes lines of JSON until it is done. */
export type PageAnswer = (question: string, write: (line: object) => void, signal: AbortSignal) => Promise<void>

/** The longest question, in characters. */
const LONGEST = 10_000

/** The longest body of a question, in bytes: a character may be an escape. */
const MAX_BODY = 100_000

/** How many questions are answered at the same time. */
const MAX_ANSWERS = 4

/** Serves the page on 127.0.0.1. @param answer - of a model; null without a model */
export async function servePage(
  docs: Docs,
  port: number,
  answer: PageAnswer | null,
  onerror: (error: Error) => void,
): Promise<ServedHttp> {
  const script = await pageScript()
  const html = pageHtml({ title: basename(docs.root), hasModel: answer !== null })
  const headers = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
  const respond = (text: string, type: string, more: object = {}) =>
    new Response(text, {
      headers: { ...headers, 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache', ...more },
    })
  const running = new Set<object>()
  const handle: HttpHandler = async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/answer' && answer) return answerOf(request, answer, running)
    if (request.method !== 'GET') return Response.json({ error: 'expected GET' }, { status: 405 })
    if (pathname === '/') return respond(html, 'text/html')
    if (pathname === '/ask.js') return respond(script, 'text/javascript')
    if (pathname !== '/index.json') return Response.json({ error: 'no such path' }, { status: 404 })
    const text = JSON.stringify(await docs.indexData())
    const etag = `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: { etag } })
    return respond(text, 'application/json', { etag })
  }
  return serveRequests(handle, port, '/', onerror)
}

async function answerOf(request: Request, answer: PageAnswer, running: Set<object>): Promise<Response> {
  // A page of another server cannot send JSON without asking first.
  if (request.method !== 'POST' || request.headers.get('content-type') !== 'application/json')
    return Response.json({ error: 'expected JSON by POST' }, { status: 415 })
  const body = await requestText(request, MAX_BODY)
  if (body === null) return Response.json({ error: `expected a body of at most ${MAX_BODY} bytes` }, { status: 413 })
  if (running.size >= MAX_ANSWERS)
    return Response.json({ error: `${MAX_ANSWERS} questions are being answered; try again` }, { status: 429 })
  const { question } = Object(jsonOr(body)) as { question?: unknown }
  if (typeof question !== 'string' || question.trim() === '' || question.length > LONGEST)
    return Response.json({ error: `question: expected a string of 1 to ${LONGEST} characters` }, { status: 400 })
  const lines = new TransformStream<Uint8Array, Uint8Array>()
  const writer = lines.writable.getWriter()
  running.add(lines)
  const write = (line: object) => writer.write(new TextEncoder().encode(`${JSON.stringify(line)}\n`)).catch(() => {})
  answer(question, write, request.signal)
    .catch((error: Error) => write({ error: error.message }))
    .finally(() => {
      running.delete(lines)
      writer.close().catch(() => {})
    })
  return new Response(lines.readable, {
    headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
  })
}
