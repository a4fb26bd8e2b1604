/** The chat on Cloudflare Workers. */
import { type ModelSettings, shopRoute } from './shop.ts'

let handle: ReturnType<typeof shopRoute> | undefined

export default {
  fetch(request: Request, settings: ModelSettings): Promise<Response> {
    handle ??= shopRoute(settings, null)
    return handle(request)
  },
}
