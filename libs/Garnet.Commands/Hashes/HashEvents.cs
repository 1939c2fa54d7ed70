// The events of commands for hashes. Stateless.
using Garnet.Engine.Events;
using Garnet.Engine.Execution;

namespace Garnet.Commands.Hashes;

/// <summary>The keyspace events of these commands.</summary>
internal static class HashEvents
{
    public static readonly KeyEvent Set = Of("hset");

    public static readonly KeyEvent IncrBy = Of("hincrby");

    public static readonly KeyEvent IncrByFloat = Of("hincrbyfloat");

    public static readonly KeyEvent Del = Of("hdel");

    public static readonly KeyEvent Expire = Of("hexpire");

    public static readonly KeyEvent Persist = Of("hpersist");

    /// <summary>
    /// A command was given a time that has passed, or found fields past theirs. Unlike that of maintenance it is of the class of hashes.
    /// </summary>
    public static readonly KeyEvent Expired = Of("hexpired");

    /// <summary>
    /// Adds an event of the key in argument 1, after the one that says that expired fields have been overwritten if their number has grown.
    /// </summary>
    /// <param name="context">The command's context.</param>
    /// <param name="keyEvent">The command's event.</param>
    /// <param name="expiredBefore">The session's number of expired fields before the command.</param>
    public static void NotifyOverwritten(in CommandContext context, KeyEvent keyEvent, long expiredBefore)
    {
        if (context.Store.Slot.ExpiredFields != expiredBefore)
            context.Notify(Expired, 1);
        context.Notify(keyEvent, 1);
    }

    private static KeyEvent Of(string name) => new(KeyEventClasses.Hash, name) { PrecedesRemoval = true };
}
