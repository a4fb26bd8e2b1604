new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
navigator.serviceWorker.register('/service-worker.js')
