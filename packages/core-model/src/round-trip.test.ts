import { describeRoundTrips } from '../test/arbitrary-model.ts'
import * as core from './index.ts'
import * as testing from './testing.ts'

const callbackManager = new core.CallbackManager()

describeRoundTrips({ ...core, ...testing }, { '': { live: { callbackManager } } })
