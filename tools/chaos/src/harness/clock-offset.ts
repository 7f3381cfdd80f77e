/** Returns `NODE_OPTIONS` that shift the clock of one process, without touching the machine's clock. */
export function clockOffset(ms: number): string {
  const script = `const now=Date.now;Date.now=()=>now()+${ms};globalThis.Date=new Proxy(Date,{construct:(target,args,as)=>Reflect.construct(target,args.length?args:[Date.now()],as)})`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}
