/** Chroma over its HTTP interface, version 2. */
import { type Json, type Point, type PointStore, request } from './rest-vector-retriever.ts'

export function chromaPoints(baseUrl: string, collection: string, token?: string): PointStore {
  const collections = `${baseUrl}/api/v2/tenants/default_tenant/databases/default_database/collections`
  const headers: Record<string, string> = token ? { 'x-chroma-token': token } : {}
  const body = { name: collection, get_or_create: true, configuration: { hnsw: { space: 'ip' } } }
  const made = request(collections, 'POST', body, headers)
  // A failure is reported by the first operation.
  made.catch(() => {})
  const send = async (path: string, method: string, data?: object) =>
    request(`${collections}/${(await made).id}${path}`, method, data, headers)
  const rows = ({ ids, metadatas }: Json, index: number) => ({ key: ids[index], ...metadatas[index] })
  return {
    async get(keys) {
      if (keys.length === 0) return []
      const found = await send('/get', 'POST', { ids: keys, include: ['metadatas', 'embeddings'] })
      return found.ids.map((_: string, at: number): Point => ({ ...rows(found, at), vector: found.embeddings[at] }))
    },
    async put(points) {
      await send('/upsert', 'POST', {
        ids: points.map(({ key }) => key),
        embeddings: points.map(({ vector }) => vector),
        metadatas: points.map(({ record, place }) => ({ record, place })),
      })
    },
    async delete(keys) {
      await send('/delete', 'POST', { ids: keys })
    },
    async nearest(vector, limit) {
      const found = await send('/query', 'POST', {
        query_embeddings: [vector],
        n_results: limit,
        include: ['metadatas', 'distances'],
      })
      const [ids, metadatas, distances] = [found.ids[0], found.metadatas[0], found.distances[0]]
      // The distance of the space `ip` is 1 - the inner product.
      return ids.map((_: string, at: number) => ({ ...rows({ ids, metadatas }, at), score: 1 - distances[at] }))
    },
    count: () => send('/count', 'GET'),
  }
}
