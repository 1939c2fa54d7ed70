// Commands on one key that reply with a number. A plain value.
namespace Garnet.Hosting.InProcess;

/// <summary>What <see cref="ITypedCommands.Integer(KeyCommand, ReadOnlySpan{byte})"/> calls.</summary>
internal enum KeyCommand
{
    Del,
    Exists,
    Persist,
    PTtl,
    IncrBy,
    PExpire,
    PExpireAt,
}
