// The events of commands for strings. Constants.
using Garnet.Engine.Events;

namespace Garnet.Commands.Strings;

/// <summary>The keyspace events of these commands, besides <see cref="KeyEvent.Set"/>.</summary>
internal static class StringEvents
{
    public static readonly KeyEvent Append = Of("append");

    public static readonly KeyEvent IncrBy = Of("incrby");

    public static readonly KeyEvent IncrByFloat = Of("incrbyfloat");

    public static readonly KeyEvent SetRange = Of("setrange");

    private static KeyEvent Of(string name) => new(KeyEventClasses.String, name);
}
