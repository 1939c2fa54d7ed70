// Parses source code to a syntax tree. One thread.
using Garnet.Lua.Values;

namespace Garnet.Lua.Compilation;

/// <summary>A recursive descent parser that resolves names to variables. Its recursion is limited.</summary>
internal sealed class Parser(Lexer lexer, List<Expression.Call>? calls)
{
    private const int MaxLevels = 200;
    private const int UnaryPriority = 8;

    /// <summary>What messages call the iterator of a generic loop.</summary>
    public static readonly LuaString LoopGenerator = new("(for generator)");

    private static readonly LuaString[] NumericLoopNames =
    [
        new LuaString("(for index)"),
        new LuaString("(for limit)"),
        new LuaString("(for step)"),
    ];

    private static readonly LuaString[] GenericLoopNames = [LoopGenerator, new LuaString("(for state)"), new LuaString("(for control)")];

    // The parts of what is being parsed, innermost last, until their number is known.
    private readonly List<Statement> _statements = [];
    private readonly List<Expression> _parts = [];
    private readonly List<(Expression?, Expression)> _fields = [];

    private FunctionScope _scope = new(parent: null, line: 0);
    private int _level;
    private int _loops;

    public FunctionBody ParseChunk()
    {
        _scope.IsVararg = true;
        lexer.Next();
        Statement[] statements = ParseBlock();
        if (lexer.Current.Kind != TokenKind.EndOfSource)
            throw Expected(TokenKind.EndOfSource);
        return new FunctionBody
        {
            Parameters = [],
            Statements = statements,
            Captures = [],
            IsVararg = true,
            ArgumentTable = null,
            FillsArgumentTable = false,
            Line = 0,
            EndLine = lexer.LastLine,
        };
    }

    private Expression.Call Note(Expression.Call call)
    {
        calls?.Add(call);
        return call;
    }

    private Statement[] ParseBlock()
    {
        int active = _scope.ActiveCount;
        Statement[] statements = ParseStatements();
        _scope.Deactivate(active);
        return statements;
    }

    // Up to the end of the block, whose variables stay visible.
    private Statement[] ParseStatements()
    {
        EnterLevel();
        int first = _statements.Count;
        bool isLast = false;
        while (!isLast && !EndsBlock(lexer.Current.Kind))
        {
            Statement statement = ParseStatement();
            _statements.Add(statement);
            isLast = statement is Statement.Return or Statement.Break;
            SkipIf(';');
        }

        _level--;
        return TakeFrom(_statements, first);
    }

    private static T[] TakeFrom<T>(List<T> list, int first)
    {
        int count = list.Count - first;
        if (count == 0)
            return [];
        var taken = new T[count];
        list.CopyTo(first, taken, 0, count);
        list.RemoveRange(first, count);
        return taken;
    }

    private static bool EndsBlock(TokenKind kind) =>
        kind is TokenKind.Else or TokenKind.ElseIf or TokenKind.End or TokenKind.EndOfSource or TokenKind.Until;

    private Statement ParseStatement()
    {
        int line = lexer.Line;
        switch (lexer.Current.Kind)
        {
            case TokenKind.If:
                return ParseIf(line);
            case TokenKind.While:
                return ParseWhile(line);
            case TokenKind.Do:
            {
                lexer.Next();
                Statement[] body = ParseBlock();
                Close(TokenKind.End, TokenKind.Do, line);
                return new Statement.Block(body) { Line = line };
            }

            case TokenKind.For:
                return ParseFor(line);
            case TokenKind.Repeat:
                return ParseRepeat(line);
            case TokenKind.Function:
                return ParseFunctionStatement(line);
            case TokenKind.Local:
                lexer.Next();
                return SkipIf(TokenKind.Function) ? ParseLocalFunction(line) : ParseLocal(line);
            case TokenKind.Return:
                return ParseReturn(line);
            case TokenKind.Break:
                lexer.Next();
                return _loops == 0 ? throw lexer.Unexpected("no loop to break") : new Statement.Break { Line = line };
            default:
                return ParseExpressionStatement(line);
        }
    }

    private Statement.If ParseIf(int line)
    {
        var branches = new List<(Expression, Statement[])>();
        Statement[]? otherwise = null;
        do
        {
            lexer.Next();
            Expression condition = ParseExpression();
            Skip(TokenKind.Then);
            branches.Add((condition, ParseBlock()));
        } while (lexer.Current.Kind == TokenKind.ElseIf);

        if (SkipIf(TokenKind.Else))
            otherwise = ParseBlock();
        Close(TokenKind.End, TokenKind.If, line);
        return new Statement.If(branches, otherwise) { Line = line };
    }

    private Statement.While ParseWhile(int line)
    {
        lexer.Next();
        Expression condition = ParseExpression();
        Skip(TokenKind.Do);
        Statement[] body = ParseLoopBody();
        Close(TokenKind.End, TokenKind.While, line);
        return new Statement.While(condition, body) { Line = line };
    }

    private Statement[] ParseLoopBody()
    {
        _loops++;
        Statement[] body = ParseBlock();
        _loops--;
        return body;
    }

    // The condition sees the variables of the body.
    private Statement.Repeat ParseRepeat(int line)
    {
        int active = _scope.ActiveCount;
        lexer.Next();
        _loops++;
        Statement[] body = ParseStatements();
        _loops--;
        Close(TokenKind.Until, TokenKind.Repeat, line);
        Expression condition = ParseExpression();
        _scope.Deactivate(active);
        return new Statement.Repeat(body, condition) { Line = line };
    }

    private Statement ParseFor(int line)
    {
        int active = _scope.ActiveCount;
        lexer.Next();
        Symbol first = ParseSymbol();
        Statement result;
        if (SkipIf('='))
            result = ParseNumericFor(first, line);
        else if (lexer.Current.Is(',') || lexer.Current.Kind == TokenKind.In)
            result = ParseGenericFor(first, line);
        else
            throw lexer.Unexpected("'=' or 'in' expected");
        _scope.Deactivate(active);
        Close(TokenKind.End, TokenKind.For, line);
        return result;
    }

    private Statement.NumericFor ParseNumericFor(Symbol name, int line)
    {
        Expression first = ParseExpression();
        if (!SkipIf(','))
            throw Expected(',');
        Expression limit = ParseExpression();
        Expression? step = SkipIf(',') ? ParseExpression() : null;
        DeclareHidden(NumericLoopNames);
        var variable = new LocalVariable(name);
        Statement[] body = ParseForBody([variable]);
        return new Statement.NumericFor(variable, first, limit, step, body) { Line = line };
    }

    private Statement.GenericFor ParseGenericFor(Symbol first, int line)
    {
        List<LocalVariable> variables = [new LocalVariable(first)];
        while (SkipIf(','))
        {
            variables.Add(new LocalVariable(ParseSymbol()));
            _scope.CheckRoom(lexer, variables.Count + 3);
        }

        Skip(TokenKind.In);
        int valuesLine = lexer.Line;
        Expression[] values = ParseExpressions();
        DeclareHidden(GenericLoopNames);
        Statement[] body = ParseForBody(variables);
        return new Statement.GenericFor(variables, values, body) { Line = valuesLine };
    }

    private void DeclareHidden(LuaString[] names)
    {
        _scope.CheckRoom(lexer, names.Length + 1);
        foreach (LuaString name in names)
            _scope.Activate(new LocalVariable(name, symbol: null));
    }

    private Statement[] ParseForBody(List<LocalVariable> variables)
    {
        Skip(TokenKind.Do);
        _scope.CheckRoom(lexer, variables.Count);
        variables.ForEach(_scope.Activate);
        return ParseLoopBody();
    }

    private Statement.SingleAssignment ParseFunctionStatement(int line)
    {
        lexer.Next();
        Expression target = ResolveName(ParseSymbol());
        bool isMethod = false;
        while (!isMethod && (lexer.Current.Is('.') || lexer.Current.Is(':')))
        {
            isMethod = lexer.Current.Is(':');
            lexer.Next();
            var key = new Expression.Text(ParseNameText()) { Line = lexer.LastLine };
            target = Checked(new Expression.Index(target, key) { Line = lexer.LastLine });
        }

        Expression function = ParseFunctionBody(isMethod, line);
        return new Statement.SingleAssignment(target, function) { Line = line };
    }

    private Statement.LocalFunction ParseLocalFunction(int line)
    {
        var variable = new LocalVariable(ParseSymbol());
        _scope.CheckRoom(lexer, 1);
        _scope.Activate(variable);
        return new Statement.LocalFunction(variable, ParseFunctionBody(isMethod: false, lexer.Line)) { Line = line };
    }

    private Statement.Local ParseLocal(int line)
    {
        var variables = new List<LocalVariable>();
        do
        {
            variables.Add(new LocalVariable(ParseSymbol()));
            _scope.CheckRoom(lexer, variables.Count);
        } while (SkipIf(','));

        Expression[] values = SkipIf('=') ? ParseExpressions() : [];
        variables.ForEach(_scope.Activate);
        return new Statement.Local(variables, values) { Line = lexer.LastLine };
    }

    private Statement.Return ParseReturn(int line)
    {
        lexer.Next();
        Expression[] values = EndsBlock(lexer.Current.Kind) || lexer.Current.Is(';') ? [] : ParseExpressions();
        return new Statement.Return(values) { Line = values.Length == 0 ? line : lexer.LastLine };
    }

    private Statement ParseExpressionStatement(int line)
    {
        Expression expression = ParsePrimary();
        if (expression is Expression.Call or Expression.MethodCall)
            return new Statement.Call(expression) { Line = line };
        CheckTarget(expression);
        if (SkipIf('='))
            return ParseValues(expression);
        int first = _parts.Count;
        _parts.Add(expression);
        while (SkipIf(','))
        {
            _parts.Add(CheckTarget(ParsePrimary()));
            if (_parts.Count - first + _level > MaxLevels)
                throw lexer.Error($"function or expression needs too many variables in assignment");
        }

        if (!SkipIf('='))
            throw Expected('=');
        Expression[] targets = TakeFrom(_parts, first);
        Expression[] values = ParseExpressions();
        return new Statement.Assignment(targets, values) { Line = lexer.LastLine };
    }

    // The right side of an assignment to one variable.
    private Statement ParseValues(Expression target)
    {
        Expression value = ParseExpression();
        if (!lexer.Current.Is(','))
            return new Statement.SingleAssignment(target, value) { Line = lexer.LastLine };
        int first = _parts.Count;
        _parts.Add(value);
        while (SkipIf(','))
            _parts.Add(ParseExpression());
        return new Statement.Assignment([target], TakeFrom(_parts, first)) { Line = lexer.LastLine };
    }

    private Expression CheckTarget(Expression target) =>
        target is Expression.Local or Expression.Upvalue or Expression.Global or Expression.Index
            ? target
            : throw lexer.Unexpected("syntax error");

    private Expression[] ParseExpressions()
    {
        Expression expression = ParseExpression();
        if (!lexer.Current.Is(','))
            return [expression];
        int first = _parts.Count;
        _parts.Add(expression);
        while (SkipIf(','))
            _parts.Add(ParseExpression());
        return TakeFrom(_parts, first);
    }

    private Expression ParseExpression() => ParseOperators(0);

    // Operators that bind more tightly than the limit.
    private Expression ParseOperators(int limit)
    {
        EnterLevel();
        Expression left;
        UnaryOperator? unary = UnaryOf(lexer.Current);
        if (unary is { } prefix)
        {
            lexer.Next();
            Expression operand = ParseOperators(UnaryPriority);
            left = Fold(new Expression.Unary(prefix, operand) { Line = lexer.LastLine });
        }
        else
        {
            left = ParseSimple();
        }

        while (BinaryOf(lexer.Current) is { } binary && Priorities(binary).Left > limit)
        {
            lexer.Next();
            Expression right = ParseOperators(Priorities(binary).Right);
            left = Checked(Fold(new Expression.Binary(binary, left, right) { Line = lexer.LastLine }));
        }

        _level--;
        return left;
    }

    private Expression ParseSimple()
    {
        int line = lexer.Line;
        Expression expression;
        switch (lexer.Current.Kind)
        {
            case TokenKind.Number:
                expression = new Expression.Number(lexer.Current.Number) { Line = line };
                break;
            case TokenKind.String:
                expression = new Expression.Text(lexer.Current.Symbol!.Text) { Line = line };
                break;
            case TokenKind.Nil:
                expression = new Expression.Nil { Line = line };
                break;
            case TokenKind.True:
            case TokenKind.False:
                expression = new Expression.Boolean(lexer.Current.Kind == TokenKind.True) { Line = line };
                break;
            case TokenKind.Dots:
                if (!_scope.IsVararg)
                    throw lexer.Unexpected("cannot use '...' outside a vararg function");
                _scope.UsesDots = true;
                expression = new Expression.Dots { Line = line };
                break;
            case TokenKind.Function:
                lexer.Next();
                return ParseFunctionBody(isMethod: false, line);
            default:
                return lexer.Current.Is('{') ? ParseTable() : ParsePrimary();
        }

        lexer.Next();
        return expression;
    }

    // A name or an expression in parentheses, followed by fields, indexes and calls.
    private Expression ParsePrimary()
    {
        Expression expression = ParsePrefix();
        while (true)
        {
            int line = lexer.Line;
            Token token = lexer.Current;
            if (token.Is('.'))
            {
                lexer.Next();
                var key = new Expression.Text(ParseNameText()) { Line = line };
                expression = new Expression.Index(expression, key) { Line = lexer.LastLine };
            }
            else if (token.Is('['))
            {
                Expression key = ParseKey();
                expression = new Expression.Index(expression, key) { Line = lexer.LastLine };
            }
            else if (token.Is(':'))
            {
                lexer.Next();
                LuaString name = ParseNameText();
                int callLine = lexer.Line;
                Expression[] arguments = ParseArguments();
                expression = new Expression.MethodCall(expression, name, arguments) { Line = callLine };
            }
            else if (token.Is('(') || token.Is('{') || token.Kind == TokenKind.String)
            {
                Expression[] arguments = ParseArguments();
                expression = Note(new Expression.Call(expression, arguments) { Line = line });
            }
            else
            {
                return expression;
            }

            Checked(expression);
        }
    }

    private Expression ParsePrefix()
    {
        if (lexer.Current.Is('('))
        {
            int line = lexer.Line;
            lexer.Next();
            Expression inner = ParseExpression();
            Close(')', '(', line);
            return inner.IsMultiple ? new Expression.Single(inner) { Line = inner.Line }
                : inner is Expression.Local or Expression.Upvalue or Expression.Global or Expression.Index
                    ? new Expression.Single(inner) { Line = inner.Line }
                : inner;
        }

        return lexer.Current.Kind == TokenKind.Name ? ResolveName(ParseSymbol()) : throw lexer.Unexpected("unexpected symbol");
    }

    private Expression ParseKey()
    {
        lexer.Next();
        Expression key = ParseExpression();
        if (!SkipIf(']'))
            throw Expected(']');
        return key;
    }

    private Expression[] ParseArguments()
    {
        Token token = lexer.Current;
        int line = lexer.Line;
        if (token.Kind == TokenKind.String)
        {
            lexer.Next();
            return [new Expression.Text(token.Symbol!.Text) { Line = line }];
        }

        if (token.Is('{'))
            return [ParseTable()];
        if (!token.Is('('))
            throw lexer.Unexpected("function arguments expected");
        if (line != lexer.LastLine)
            throw lexer.Unexpected("ambiguous syntax (function call x new statement)");
        lexer.Next();
        Expression[] arguments = lexer.Current.Is(')') ? [] : ParseExpressions();
        Close(')', '(', line);
        return arguments;
    }

    private Expression.Table ParseTable()
    {
        int line = lexer.Line;
        int first = _fields.Count;
        if (!SkipIf('{'))
            throw Expected('{');
        while (!lexer.Current.Is('}'))
        {
            if (lexer.Current.Is('['))
            {
                Expression key = ParseKey();
                if (!SkipIf('='))
                    throw Expected('=');
                _fields.Add((key, ParseExpression()));
            }
            else if (lexer.Current.Kind == TokenKind.Name && lexer.Peek().Is('='))
            {
                var key = new Expression.Text(ParseNameText()) { Line = lexer.LastLine };
                lexer.Next();
                _fields.Add((key, ParseExpression()));
            }
            else
            {
                _fields.Add((null, ParseExpression()));
            }

            if (!SkipIf(',') && !SkipIf(';'))
                break;
        }

        Close('}', '{', line);
        return new Expression.Table(TakeFrom(_fields, first)) { Line = lexer.LastLine };
    }

    private Expression.Function ParseFunctionBody(bool isMethod, int line)
    {
        FunctionScope outer = _scope;
        int outerLoops = _loops;
        _scope = new FunctionScope(outer, line);
        _loops = 0;
        var parameters = new List<LocalVariable>();
        if (!SkipIf('('))
            throw Expected('(');
        if (isMethod)
            parameters.Add(new LocalVariable(lexer.Intern("self"u8)));
        ParseParameters(parameters);
        LocalVariable? argumentTable = _scope.IsVararg ? new LocalVariable(lexer.Intern("arg"u8)) : null;
        parameters.ForEach(_scope.Activate);
        if (argumentTable is not null)
            _scope.Activate(argumentTable);
        if (!SkipIf(')'))
            throw Expected(')');
        Statement[] statements = ParseBlock();
        int endLine = lexer.Line;
        Close(TokenKind.End, TokenKind.Function, line);
        var body = new FunctionBody
        {
            Parameters = parameters,
            Statements = statements,
            Captures = _scope.Captures(),
            IsVararg = _scope.IsVararg,
            ArgumentTable = argumentTable,
            FillsArgumentTable = !_scope.UsesDots,
            Line = line,
            EndLine = endLine,
        };
        _scope.Deactivate(0);
        _scope = outer;
        _loops = outerLoops;
        return new Expression.Function(body) { Line = lexer.LastLine };
    }

    private void ParseParameters(List<LocalVariable> parameters)
    {
        if (lexer.Current.Is(')'))
            return;
        do
        {
            if (lexer.Current.Kind == TokenKind.Name)
                parameters.Add(new LocalVariable(ParseSymbol()));
            else if (SkipIf(TokenKind.Dots))
                _scope.IsVararg = true;
            else
                throw lexer.Unexpected("<name> or '...' expected");
            _scope.CheckRoom(lexer, parameters.Count + 1);
        } while (!_scope.IsVararg && SkipIf(','));
    }

    private Expression ResolveName(Symbol symbol)
    {
        int line = lexer.LastLine;
        if (symbol.Visible is not { } variable)
            return new Expression.Global(symbol.Text) { Line = line };
        return ReferenceEquals(variable.Scope, _scope)
            ? new Expression.Local(variable) { Line = line }
            : new Expression.Upvalue(_scope.CaptureVariable(lexer, variable), symbol.Text) { Line = line };
    }

    // Operations on constants are done now, unless the result is not a number that can be written.
    private static Expression Fold(Expression expression)
    {
        switch (expression)
        {
            case Expression.Unary { Operator: UnaryOperator.Negate, Operand: Expression.Number number }:
                return new Expression.Number(-number.Value) { Line = expression.Line };
            case Expression.Binary
            {
                Operator: BinaryOperator.And,
                Left: Expression.Number or Expression.Text or Expression.Boolean { Value: true }
            } both:
                return both.Right.IsMultiple ? new Expression.Single(both.Right) { Line = both.Line } : both.Right;
            case Expression.Binary { Operator: BinaryOperator.Or, Left: Expression.Nil or Expression.Boolean { Value: false } } either:
                return either.Right.IsMultiple ? new Expression.Single(either.Right) { Line = either.Line } : either.Right;
            case Expression.Binary { Operator: BinaryOperator.And, Left: Expression.Binary { Right: Expression.Number } test } choice:
                return new Expression.Binary(choice.Operator, WithoutNumber(test), choice.Right) { Line = choice.Line };
            case Expression.Unary { Operator: UnaryOperator.Not, Operand: Expression.Nil or Expression.Boolean { Value: false } }:
                return new Expression.Boolean(true) { Line = expression.Line };
            case Expression.Unary { Operator: UnaryOperator.Not, Operand: Expression.Number or Expression.Text or Expression.Boolean }:
                return new Expression.Boolean(false) { Line = expression.Line };
            case Expression.Unary { Operator: UnaryOperator.Not, Operand: Expression.Binary { Right: Expression.Number } test } not:
                return new Expression.Unary(not.Operator, WithoutNumber(test)) { Line = not.Line };
            case Expression.Binary
            {
                Operator: <= BinaryOperator.Power,
                Left: Expression.Number left,
                Right: Expression.Number right
            } binary:
            {
                if (binary.Operator is BinaryOperator.Divide or BinaryOperator.Modulo && right.Value == 0)
                    return expression;
                double value = Execution.Operations.Compute((Execution.MetaEvent)binary.Operator, left.Value, right.Value);
                return double.IsNaN(value) ? expression : new Expression.Number(value) { Line = expression.Line };
            }

            default:
                return expression;
        }
    }

    // Of the 5 in "a or 5" and "a and 5" only the truth is wanted. In Lua 5.1 it then is no constant, and does not decide the sign of
    // zeros.
    private static Expression.Binary WithoutNumber(Expression.Binary test) =>
        test.Operator is BinaryOperator.And or BinaryOperator.Or
            ? new Expression.Binary(test.Operator, test.Left, new Expression.Boolean(true) { Line = test.Line }) { Line = test.Line }
            : test;

    private Expression Checked(Expression expression) =>
        expression.Depth > Expression.MaxDepth ? throw lexer.Error("chunk has too many syntax levels") : expression;

    private static UnaryOperator? UnaryOf(Token token)
    {
        if (token.Kind == TokenKind.Not)
            return UnaryOperator.Not;
        if (token.Is('-'))
            return UnaryOperator.Negate;
        return token.Is('#') ? UnaryOperator.Length : null;
    }

    private static BinaryOperator? BinaryOf(Token token) =>
        token.Kind switch
        {
            TokenKind.And => BinaryOperator.And,
            TokenKind.Or => BinaryOperator.Or,
            TokenKind.Equal => BinaryOperator.Equal,
            TokenKind.NotEqual => BinaryOperator.NotEqual,
            TokenKind.LessEqual => BinaryOperator.LessEqual,
            TokenKind.GreaterEqual => BinaryOperator.GreaterEqual,
            TokenKind.Concatenate => BinaryOperator.Concatenate,
            TokenKind.Character => token.Character switch
            {
                (byte)'+' => BinaryOperator.Add,
                (byte)'-' => BinaryOperator.Subtract,
                (byte)'*' => BinaryOperator.Multiply,
                (byte)'/' => BinaryOperator.Divide,
                (byte)'%' => BinaryOperator.Modulo,
                (byte)'^' => BinaryOperator.Power,
                (byte)'<' => BinaryOperator.Less,
                (byte)'>' => BinaryOperator.Greater,
                _ => null,
            },
            _ => null,
        };

    // How tightly an operator binds what is on its sides; the right side of those that group to the right binds less tightly.
    private static (int Left, int Right) Priorities(BinaryOperator binary) =>
        binary switch
        {
            BinaryOperator.Or => (1, 1),
            BinaryOperator.And => (2, 2),
            BinaryOperator.Concatenate => (5, 4),
            BinaryOperator.Add or BinaryOperator.Subtract => (6, 6),
            BinaryOperator.Multiply or BinaryOperator.Divide or BinaryOperator.Modulo => (7, 7),
            BinaryOperator.Power => (10, 9),
            _ => (3, 3),
        };

    private void EnterLevel()
    {
        if (++_level > MaxLevels)
            throw lexer.Error("chunk has too many syntax levels");
    }

    private LuaString ParseNameText() => ParseSymbol().Text;

    private Symbol ParseSymbol()
    {
        if (lexer.Current.Kind != TokenKind.Name)
            throw Expected(TokenKind.Name);
        Symbol name = lexer.Current.Symbol!;
        lexer.Next();
        return name;
    }

    private bool SkipIf(char character)
    {
        if (!lexer.Current.Is(character))
            return false;
        lexer.Next();
        return true;
    }

    private bool SkipIf(TokenKind kind)
    {
        if (lexer.Current.Kind != kind)
            return false;
        lexer.Next();
        return true;
    }

    private void Skip(TokenKind kind)
    {
        if (!SkipIf(kind))
            throw Expected(kind);
    }

    private void Close(TokenKind kind, TokenKind opening, int line)
    {
        if (!SkipIf(kind))
            throw NotClosed(Lexer.Describe(kind), Lexer.Describe(opening), line);
    }

    private void Close(char character, char opening, int line)
    {
        if (!SkipIf(character))
            throw NotClosed(character.ToString(), opening.ToString(), line);
    }

    private LuaSyntaxException NotClosed(string expected, string opening, int line) =>
        lexer.Unexpected(line == lexer.Line ? $"'{expected}' expected" : $"'{expected}' expected (to close '{opening}' at line {line})");

    private LuaSyntaxException Expected(TokenKind kind) => lexer.Unexpected($"'{Lexer.Describe(kind)}' expected");

    private LuaSyntaxException Expected(char character) => lexer.Unexpected($"'{character}' expected");
}
