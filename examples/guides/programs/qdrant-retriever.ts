/** Qdrant over its HTTP interface. */
import { type Json, type Point, type PointStore, request } from './rest-vector-retriever.ts'

export function qdrantPoints(baseUrl: string, collection: string, apiKey?: string): PointStore {
  const url = `${baseUrl}/collections/${collection}`
  const send = (path: string, method: string, body?: object) =>
    request(url + path, method, body, apiKey ? { 'api-key': apiKey } : {})
  return {
    async get(keys) {
      const answer =
        keys.length > 0 ? await send('/points', 'POST', { ids: keys, with_payload: true, with_vector: true }) : null
      return (answer?.result ?? []).map(({ id, payload, vector }: Json): Point => ({ key: id, vector, ...payload }))
    },
    async put(points) {
      const vectors = { size: points[0]!.vector.length, distance: 'Dot' }
      if ((await send('', 'GET')) === null) await send('', 'PUT', { vectors })
      const body = points.map(({ key, vector, ...payload }) => ({ id: key, vector, payload }))
      await send('/points?wait=true', 'PUT', { points: body })
    },
    async delete(keys) {
      await send('/points/delete?wait=true', 'POST', { points: keys })
    },
    async nearest(vector, limit) {
      const answer = await send('/points/query', 'POST', {
        query: vector,
        limit,
        with_payload: true,
        params: { exact: true },
      })
      return (answer?.result.points ?? []).map(({ id, score, payload }: Json) => ({ key: id, score, ...payload }))
    },
    count: async () => (await send('/points/count', 'POST', { exact: true }))?.result.count ?? 0,
  }
}
