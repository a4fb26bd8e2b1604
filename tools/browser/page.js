import { report } from './checks.js'

await report('page')
