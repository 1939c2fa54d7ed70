// The events of commands for streams. Constants.
using Garnet.Engine.Events;

namespace Garnet.Commands.Streams;

/// <summary>The keyspace events of these commands.</summary>
internal static class StreamEvents
{
    public static readonly KeyEvent Add = Of("xadd");

    public static readonly KeyEvent Trim = Of("xtrim");

    public static readonly KeyEvent Del = Of("xdel");

    public static readonly KeyEvent SetId = Of("xsetid");

    public static readonly KeyEvent GroupCreate = Of("xgroup-create");

    public static readonly KeyEvent GroupSetId = Of("xgroup-setid");

    public static readonly KeyEvent GroupDestroy = Of("xgroup-destroy");

    public static readonly KeyEvent ConsumerCreate = Of("xgroup-createconsumer");

    public static readonly KeyEvent ConsumerDel = Of("xgroup-delconsumer");

    private static KeyEvent Of(string name) => new(KeyEventClasses.Stream, name);
}
