"""How an agent's answer is made better: several tries, a swarm's settings, judges, an early stop."""
