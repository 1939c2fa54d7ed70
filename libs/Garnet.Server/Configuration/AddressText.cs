// Words that name an address to listen on. Pure functions, any thread.
using System.Buffers;

namespace Garnet.Server.Configuration;

/// <summary>Checks the form of the words of <c>bind</c> and <c>metrics-bind</c>.</summary>
internal static class AddressText
{
    /// <summary>How many addresses an option may name.</summary>
    public const int MaxCount = 16;

    private static readonly SearchValues<char> Characters = SearchValues.Create(
        "%*-.0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
    );

    /// <summary>
    /// What is wrong with a word; null when nothing. Whether an address exists is found out when it is bound. Text that cannot be part of
    /// an address or a host name must not reach files and logs.
    /// </summary>
    public static string? FindProblem(string word) =>
        word.AsSpan().ContainsAnyExcept(Characters) ? "an address is an IP address, a host name, * or ::*" : null;
}
