/** The chat in an application of Next, on the edge. */
import { shopRoute } from '../../../../../shop.ts'

const { MODEL_URL = 'http://localhost:11434/v1', MODEL = 'qwen3', MODEL_KEY } = process.env
const handle = shopRoute({ MODEL_URL, MODEL, ...(MODEL_KEY && { MODEL_KEY }) })

export const runtime = 'edge'
export { handle as DELETE, handle as GET, handle as POST }
