new Worker(new URL('./webpack-worker.js', import.meta.url))
