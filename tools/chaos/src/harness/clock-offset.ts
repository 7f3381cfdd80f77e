/** `NODE_OPTIONS` with which a process' clock is so much off: nothing of the machine is touched. */
export function clockOff(ms: number): string {
  const script = `const now=Date.now;Date.now=()=>now()+${ms};globalThis.Date=new Proxy(Date,{construct:(of,given,as)=>Reflect.construct(of,given.length?given:[Date.now()],as)})`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}
