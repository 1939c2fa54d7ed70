// A command with any number of arguments, to be called or replicated. Lives on the stack.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Protocol;
using Garnet.Server.Modules;

namespace Garnet.Modules;

/// <summary>
/// Collects the arguments of a command for <see cref="ModuleContext.Call(ModuleRequest, CallFlags)"/> and
/// <see cref="ModuleContext.Replicate(ModuleRequest)"/>. A command has one at a time: the next one, or a call, replaces it.
/// </summary>
public readonly ref struct ModuleRequest
{
    internal ModuleRequest(ModuleScope scope, CommandToken token)
        : this(scope.Request, scope, token) { }

    internal ModuleRequest(ScopedRequest arguments, ModuleScope? scope, CommandToken token)
    {
        Arguments = arguments;
        Scope = scope;
        Token = token;
        arguments.Clear();
        foreach (byte[] word in token.Words)
            arguments.Append(word);
    }

    internal CommandToken Token { get; }

    /// <summary>The scope of the command that makes the request; null outside of one.</summary>
    internal ModuleScope? Scope { get; }

    internal ScopedRequest Arguments { get; }

    /// <summary>Adds an argument.</summary>
    public ModuleRequest Add(scoped ReadOnlySpan<byte> argument)
    {
        Arguments.Append(argument);
        return this;
    }

    /// <summary>Adds a text as UTF-8.</summary>
    public ModuleRequest Add(string argument)
    {
        ArgumentNullException.ThrowIfNull(argument);
        Arguments.Append(Encoding.UTF8.GetBytes(argument));
        return this;
    }

    /// <summary>Adds an integer as decimal digits.</summary>
    public ModuleRequest Add(long value)
    {
        Span<byte> digits = stackalloc byte[IntegerText.MaxLength];
        Arguments.Append(digits[..IntegerText.Format(value, digits)]);
        return this;
    }

    /// <summary>Adds a double as its shortest text.</summary>
    public ModuleRequest Add(double value)
    {
        Span<byte> text = stackalloc byte[DoubleText.MaxLength];
        Arguments.Append(text[..DoubleText.Format(value, text)]);
        return this;
    }
}
