"""Pages for whoever corrects the edition: a misread word reported from its evidence, and what waits for the editor."""
