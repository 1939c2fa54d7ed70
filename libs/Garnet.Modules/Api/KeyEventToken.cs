// An event of keys that a module has. Immutable.
using Garnet.Engine.Events;

namespace Garnet.Modules;

/// <summary>An event for <see cref="ModuleContext.Notify"/>; of the class <c>d</c> of <c>notify-keyspace-events</c>.</summary>
public sealed class KeyEventToken
{
    internal KeyEventToken(KeyEvent keyEvent) => Event = keyEvent;

    /// <summary>The name.</summary>
    public string Name => Event.ToString();

    internal KeyEvent Event { get; }
}
