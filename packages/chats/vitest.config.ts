import { packageTests } from '../../tools/vitest.ts'

// The rest of the route is tested by the clients of `@x/ai-sdk`.
export default packageTests({ linesCovered: 88 })
