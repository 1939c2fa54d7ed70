// Which events of keys a module is told of. Immutable.
using Garnet.Engine.Events;

namespace Garnet.Server.Modules;

/// <summary>
/// A module's subscription to events of keys. The handler is called by the thread that publishes an event, and only adds work.
/// </summary>
/// <param name="Classes">The classes of events.</param>
/// <param name="Handler">Takes the database, the event and the key.</param>
internal sealed record ModuleKeyEvents(KeyEventClasses Classes, ModuleKeyEventHandler Handler);
