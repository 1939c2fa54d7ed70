// What a measurement wants to know of a reply. A plain value.
namespace Garnet.Bench.Load;

/// <summary>A complete reply, without its contents.</summary>
/// <param name="Type">The byte that it begins with.</param>
/// <param name="IsNull">Whether it is one of the nulls.</param>
/// <param name="IsWrong">Whether it should have been a value that it is not.</param>
internal readonly record struct Reply(byte Type, bool IsNull, bool IsWrong)
{
    /// <summary>Whether it is an error.</summary>
    public bool IsError => Type is (byte)'-' or (byte)'!';
}
