import { render } from 'preact';
import { App } from './App.js';
import { followAddress } from './state/place.js';
import './style.css';

followAddress();
render(<App />, document.body);
