/** The chat in an application of Hono. */
import { Hono } from 'hono'
import { type ModelSettings, shopRoute } from './shop.ts'

/** Returns the application. */
export function shopApp(settings: ModelSettings): Hono {
  const handle = shopRoute(settings)
  const app = new Hono()
  app.post('/api/chat', (context) => handle(context.req.raw))
  app.on(['GET', 'DELETE'], '/api/chat/:id/stream', (context) => handle(context.req.raw))
  return app
}
