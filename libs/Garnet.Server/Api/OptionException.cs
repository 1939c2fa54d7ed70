// Thrown while settings are read, before a server exists; a running server replies to CONFIG SET with text instead.
namespace Garnet;

/// <summary>A setting is invalid. The message is one line for the user: where, which option, what is allowed.</summary>
public sealed class OptionException : Exception
{
    internal OptionException(string message)
        : base(message) { }
}
