"""The only writers. A service is one verb: the actor first, one transaction, a domain error."""
