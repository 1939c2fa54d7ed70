// Parses the elements of an array reply. Stateless.
namespace Garnet.Server.Tests.Commands.Keys;

/// <summary>Parses array replies whose elements are bulk strings without line breaks.</summary>
internal static class Elements
{
    /// <summary>The elements in their order.</summary>
    public static string[] Of(string reply)
    {
        string[] lines = reply.Split("\r\n");
        return [.. lines.Skip(2).Where((_, index) => index % 2 == 0).Take((lines.Length - 2) / 2)];
    }
}
