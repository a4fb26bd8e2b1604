/** The programs of docs/guides/vector-databases.md, against servers of the documented form on the loopback address. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CheckedIndexOptions, indexChecks, LetterEmbedding } from '@x/testing/retrieval'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromaPoints } from '../programs/chroma-retriever.ts'
import { qdrantPoints } from '../programs/qdrant-retriever.ts'
import { type Json, RestVectorRetriever, request } from '../programs/rest-vector-retriever.ts'

interface Stored {
  vector: number[]
  payload: object
}
type Collection = Map<string, Stored>
const collections = new Map<string, Collection>()
const dot = (one: number[], other: number[]) => one.reduce((sum, value, at) => sum + value * other[at]!, 0)
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const ranked = (points: Collection, vector: number[], limit: number) =>
  [...points]
    .map(([id, { vector: other, payload }]) => ({ id, payload, score: dot(vector, other) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)

/** Answers as Qdrant documents it; undefined is 404. */
function qdrant(method: string, path: string, body: Json): unknown {
  const [, name = '', rest = ''] = /^\/collections\/([^/?]+)([^?]*)/.exec(path) ?? []
  if (method === 'PUT' && rest === '') {
    collections.set(name, new Map())
    return { result: true }
  }
  const points = collections.get(name)
  if (!points) return undefined
  if (rest === '') return { result: { status: 'green' } }
  if (rest === '/points' && method === 'PUT') {
    for (const { id, vector, payload } of body.points) {
      if (!uuid.test(id)) throw new Error('ids are UUIDs or numbers')
      points.set(id, { vector, payload })
    }
    return { result: { operation_id: 1, status: 'completed' } }
  }
  if (rest === '/points')
    return { result: body.ids.flatMap((id: string) => (points.has(id) ? [{ id, ...points.get(id) }] : [])) }
  if (rest === '/points/delete') {
    for (const id of body.points) points.delete(id)
    return { result: { status: 'completed' } }
  }
  if (rest === '/points/query') return { result: { points: ranked(points, body.query, body.limit) } }
  return rest === '/points/count' ? { result: { count: points.size } } : undefined
}

/** Answers as Chroma documents it. */
function chroma(method: string, path: string, body: Json): unknown {
  const [, id, operation] = /\/collections(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? []
  if (id === undefined && method === 'POST') {
    if (!collections.has(body.name)) collections.set(body.name, new Map())
    return { id: body.name, name: body.name }
  }
  const points = collections.get(id!)
  if (!points) return undefined
  if (operation === 'count') return points.size
  if (operation === 'upsert')
    for (const [at, key] of body.ids.entries())
      points.set(key, { vector: body.embeddings[at], payload: body.metadatas[at] })
  if (operation === 'delete') for (const key of body.ids) points.delete(key)
  if (operation === 'get') {
    const ids = body.ids.filter((key: string) => points.has(key))
    return {
      ids,
      metadatas: ids.map((key: string) => points.get(key)!.payload),
      embeddings: ids.map((key: string) => points.get(key)!.vector),
    }
  }
  if (operation !== 'query') return {}
  const found = ranked(points, body.query_embeddings[0], body.n_results)
  return {
    ids: [found.map((it) => it.id)],
    metadatas: [found.map((it) => it.payload)],
    distances: [found.map((it) => 1 - it.score)],
  }
}

describe.each([
  ['Qdrant', qdrant, qdrantPoints],
  ['Chroma', chroma, chromaPoints],
] as const)('an index in %s', (name, answer, pointsOf) => {
  let server: Server
  let url: string
  beforeAll(async () => {
    server = createServer(async (incoming, response) => {
      let text = ''
      for await (const chunk of incoming) text += chunk
      const value = answer(incoming.method!, incoming.url!, text === '' ? undefined : JSON.parse(text))
      response
        .writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(value ?? { status: 'Not found' }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))
  let count = 0
  const create = (options: CheckedIndexOptions) =>
    new RestVectorRetriever(pointsOf(url, `${name}-${count++}`, 'key'), {
      embedModel: new LetterEmbedding(),
      similarityTopK: 10,
      ...options,
    })
  for (const { name: rule, run } of indexChecks(create, { kind: 'vectors' })) it(rule, run)
})

it('an error of a server names the request', async () => {
  const server = createServer((_, response) => response.writeHead(500).end('no space')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  await expect(request(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a`, 'GET')).rejects.toThrow(
    'GET /a: 500 no space',
  )
  server.close()
})
