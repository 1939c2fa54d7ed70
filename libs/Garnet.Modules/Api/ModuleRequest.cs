// A command with any number of arguments, to be called or replicated. Lives on the stack.
using Garnet.Protocol;
using Garnet.Server.Modules;

namespace Garnet.Modules;

/// <summary>
/// Collects the arguments of a command for <see cref="ModuleContext.Call(ModuleRequest, CallFlags)"/> and
/// <see cref="ModuleContext.Replicate(ModuleRequest)"/>. A command has one at a time: the next one, or a call, replaces it.
/// </summary>
public readonly ref struct ModuleRequest
{
    private readonly ModuleScope _scope;

    internal ModuleRequest(ModuleScope scope, CommandToken token)
    {
        _scope = scope;
        Token = token;
        scope.Request.Clear();
        foreach (byte[] word in token.Words)
            scope.Request.Append(word);
    }

    internal CommandToken Token { get; }

    internal ModuleScope Scope => _scope;

    /// <summary>Adds an argument.</summary>
    public ModuleRequest Add(scoped ReadOnlySpan<byte> argument)
    {
        _scope.Request.Append(argument);
        return this;
    }

    /// <summary>Adds an integer as decimal digits.</summary>
    public ModuleRequest Add(long value)
    {
        Span<byte> digits = stackalloc byte[IntegerText.MaxLength];
        _scope.Request.Append(digits[..IntegerText.Format(value, digits)]);
        return this;
    }

    /// <summary>Adds a double as its shortest text.</summary>
    public ModuleRequest Add(double value)
    {
        Span<byte> text = stackalloc byte[DoubleText.MaxLength];
        _scope.Request.Append(text[..DoubleText.Format(value, text)]);
        return this;
    }
}
