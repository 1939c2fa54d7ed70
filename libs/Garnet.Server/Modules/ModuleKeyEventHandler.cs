// Takes an event of a key for a module. Called by the thread that publishes it, which may hold the key's latch.
using Garnet.Engine.Events;

namespace Garnet.Server.Modules;

/// <summary>Takes an event of a key.</summary>
internal delegate void ModuleKeyEventHandler(int database, KeyEvent keyEvent, ReadOnlySpan<byte> key);
