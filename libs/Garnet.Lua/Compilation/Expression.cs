// Expressions of the syntax tree. Immutable after parsing; one thread.
using Garnet.Lua.Values;

namespace Garnet.Lua.Compilation;

/// <summary>An expression, with the line that errors in it report.</summary>
internal abstract class Expression
{
    /// <summary>
    /// The deepest tree for which code is generated: chains such as a + b + c nest to the left without nesting in the source.
    /// </summary>
    public const int MaxDepth = 3000;

    public required int Line { get; init; }

    public int Depth { get; protected init; }

    /// <summary>It can have any number of values where a list ends with it.</summary>
    public bool IsMultiple => this is Call or MethodCall or Dots;

    internal sealed class Nil : Expression;

    internal sealed class Boolean(bool value) : Expression
    {
        public bool Value => value;
    }

    internal sealed class Number(double value) : Expression
    {
        public double Value => value;
    }

    internal sealed class Text(LuaString value) : Expression
    {
        public LuaString Value => value;
    }

    internal sealed class Dots : Expression;

    internal sealed class Local(LocalVariable variable) : Expression
    {
        public LocalVariable Variable => variable;
    }

    internal sealed class Upvalue(int slot, LuaString name) : Expression
    {
        public int Slot => slot;

        public LuaString Name => name;
    }

    internal sealed class Global(LuaString name) : Expression
    {
        public LuaString Name => name;
    }

    internal sealed class Index : Expression
    {
        public Index(Expression target, Expression key)
        {
            Target = target;
            Key = key;
            Depth = 1 + Math.Max(target.Depth, key.Depth);
        }

        public Expression Target { get; }

        public Expression Key { get; }
    }

    internal sealed class Call : Expression
    {
        public Call(Expression called, Expression[] arguments)
        {
            Called = called;
            Arguments = arguments;
            Depth = 1 + Math.Max(called.Depth, Deepest(arguments));
        }

        public Expression Called { get; }

        public Expression[] Arguments { get; }
    }

    internal sealed class MethodCall : Expression
    {
        public MethodCall(Expression target, LuaString name, Expression[] arguments)
        {
            Target = target;
            Name = name;
            Arguments = arguments;
            Depth = 1 + Math.Max(target.Depth, Deepest(arguments));
        }

        public Expression Target { get; }

        public LuaString Name { get; }

        public Expression[] Arguments { get; }
    }

    internal sealed class Binary : Expression
    {
        public Binary(BinaryOperator @operator, Expression left, Expression right)
        {
            Operator = @operator;
            Left = left;
            Right = right;
            Depth = 1 + Math.Max(left.Depth, right.Depth);
        }

        public BinaryOperator Operator { get; }

        public Expression Left { get; }

        public Expression Right { get; }
    }

    internal sealed class Unary : Expression
    {
        public Unary(UnaryOperator @operator, Expression operand)
        {
            Operator = @operator;
            Operand = operand;
            Depth = 1 + operand.Depth;
        }

        public UnaryOperator Operator { get; }

        public Expression Operand { get; }
    }

    /// <summary>In parentheses: one value, even if the inner expression has several.</summary>
    internal sealed class Single : Expression
    {
        public Single(Expression inner)
        {
            Inner = inner;
            Depth = 1 + inner.Depth;
        }

        public Expression Inner { get; }
    }

    internal sealed class Table : Expression
    {
        public Table((Expression? Key, Expression Value)[] fields)
        {
            Fields = fields;
            int depth = 0;
            foreach ((Expression? key, Expression value) in fields)
                depth = Math.Max(depth, Math.Max(value.Depth, key?.Depth ?? 0));
            Depth = 1 + depth;
        }

        /// <summary>Elements of a list have no key.</summary>
        public (Expression? Key, Expression Value)[] Fields { get; }
    }

    internal sealed class Function(FunctionBody body) : Expression
    {
        public FunctionBody Body => body;
    }

    private static int Deepest(Expression[] expressions)
    {
        int depth = 0;
        foreach (Expression expression in expressions)
            depth = Math.Max(depth, expression.Depth);
        return depth;
    }
}
