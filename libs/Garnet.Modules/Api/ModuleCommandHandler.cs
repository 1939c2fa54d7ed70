// The signature of a command, as generated code sees it.
using System.ComponentModel;

namespace Garnet.Modules;

/// <summary>Executes a command. Called by the server's threads; generated code reads the arguments and calls the module's method.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate void ModuleCommandHandler(ref ModuleContext context);
