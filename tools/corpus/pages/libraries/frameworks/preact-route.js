const response = await fetch('/json?delay=500&body=["06:12 Coast","07:40 Hills","09:05 Airport","10:30 Coast","12:15 Harbour"]');
export const lines = await response.json();
