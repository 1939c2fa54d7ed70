// How an effect is carried out anew. Immutable.
namespace Garnet.Server.Persistence.Replay;

/// <summary>What has to come before an effect, and what must not run beside it.</summary>
internal enum ReplayKind
{
    /// <summary>Everything before it comes first, and nothing runs beside it.</summary>
    Alone,

    /// <summary>It is about one key: what came before about the same key comes first.</summary>
    OneKey,

    /// <summary>It does the same with each of its keys, so it can be carried out key by key.</summary>
    EachKey,

    /// <summary>It selects the database of what follows.</summary>
    Selects,

    /// <summary>It begins a transaction. Nobody looks on, so that what is in it can be carried out one by one.</summary>
    Begins,

    /// <summary>It ends a transaction.</summary>
    Ends,
}
